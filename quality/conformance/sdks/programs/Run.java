// The common list of calls through Qiniu's SDK for Java. What the environment holds, and what is printed: see ../programs.ts.
import com.qiniu.common.Constants;
import com.qiniu.common.QiniuException;
import com.qiniu.http.Response;
import com.qiniu.processing.OperationManager;
import com.qiniu.processing.OperationStatus;
import com.qiniu.storage.BucketManager;
import com.qiniu.storage.Configuration;
import com.qiniu.storage.Region;
import com.qiniu.storage.UploadManager;
import com.qiniu.storage.model.AclType;
import com.qiniu.storage.model.BatchStatus;
import com.qiniu.storage.model.FileInfo;
import com.qiniu.storage.model.FileListing;
import com.qiniu.storage.model.StorageType;
import com.qiniu.util.Auth;
import com.qiniu.util.Etag;
import com.qiniu.util.Json;
import com.qiniu.util.StringMap;
import com.qiniu.util.UrlSafeBase64;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

public class Run {
    interface Ask { Object ask() throws Exception; }
    interface Holds { boolean holds(Object answer) throws Exception; }

    static void call(String row, String name, Ask ask) { call(row, name, ask, answer -> true, 0); }
    static void call(String row, String name, Ask ask, Holds holds) { call(row, name, ask, holds, 0); }
    static void call(String row, String name, Ask ask, int refusal) { call(row, name, ask, answer -> false, refusal); }

    static void call(String row, String name, Ask ask, Holds holds, int refusal) {
        boolean passed = false;
        String detail = "";
        try {
            Object answer = ask.ask();
            passed = holds.holds(answer);
            if (!passed) detail = answer instanceof Response ? ((Response) answer).bodyString() : Json.encode(answer);
        } catch (QiniuException error) {
            passed = refusal != 0 && error.code() == refusal;
            if (!passed) detail = error.code() + " " + (error.response == null ? String.valueOf(error) : error.error());
        } catch (Throwable error) {
            detail = String.valueOf(error);
        }
        StringMap line = new StringMap().put("row", row).put("name", name).put("passed", passed);
        System.out.println(Json.encode(line.put("detail", detail.substring(0, Math.min(detail.length(), 400)))));
    }

    static String get(String url) throws Exception {
        try (InputStream body = new URL(url).openStream()) {
            return new String(body.readAllBytes(), "UTF-8");
        }
    }

    static Holds contains(String text) { return answer -> ((Response) answer).bodyString().contains(text); }

    public static void main(String[] args) throws Exception {
        Map<String, String> env = System.getenv();
        String host = env.get("SDK_HOST"), url = env.get("SDK_URL"), bucket = env.get("SDK_BUCKET"), receiver = env.get("SDK_RECEIVER");
        // Hosts by hand: beside another port than that of HTTP, the SDK signs a name that it does not send.
        Region region = new Region.Builder().region("z0").srcUpHost(host).accUpHost(host).iovipHost(host).ioSrcHost(host)
            .rsHost(host).rsfHost(host).apiHost(host).ucHost(host).build();
        Configuration config = new Configuration(region);
        config.useHttpsDomains = false;
        Auth auth = Auth.create(env.get("SDK_ACCESS_KEY"), env.get("SDK_SECRET_KEY"));
        BucketManager manager = new BucketManager(auth, config);
        UploadManager uploads = new UploadManager(config);
        OperationManager tasks = new OperationManager(auth, config);
        System.out.println(Json.encode(new StringMap().put("sdk", "Java").put("version", Constants.VERSION)));

        call("creation", "createBucket", () -> manager.createBucket(bucket, "z0"));
        call("creation", "createBucket again", () -> manager.createBucket(bucket, "z0"), 614);
        call("buckets", "buckets", () -> manager.buckets(), answer -> Arrays.asList((String[]) answer).contains(bucket));
        call("buckets", "domainList", () -> manager.domainList(bucket));
        call("buckets", "getBucketInfo", () -> manager.getBucketInfo(bucket));
        // The server itself is asked where the bucket is, in the SDK's own way.
        call("regions", "autoRegion", () -> {
            Configuration asked = new Configuration(Region.autoRegion("http://" + host));
            asked.useHttpsDomains = false;
            return new UploadManager(asked).put("auto".getBytes(), "auto.txt", auth.uploadToken(bucket));
        });

        String token = auth.uploadToken(bucket);
        call("form", "put", () -> uploads.put("hello".getBytes(), "small.txt", token), contains("\"key\":\"small.txt\""));
        call("form", "put without key", () -> uploads.put("no key".getBytes(), null, token));
        StringMap shaped = new StringMap().put("returnBody", "{\"k\":$(key),\"x\":$(x:a)}");
        call("answers", "returnBody", () -> uploads.put("a".getBytes(), "中文 é.txt", auth.uploadToken(bucket, null, 3600, shaped),
            new StringMap().put("x:a", "vä"), "text/plain", true), contains("{\"k\":\"中文 é.txt\",\"x\":\"vä\"}"));
        byte[] bytes = new byte[8 * 1024 * 1024];
        new Random().nextBytes(bytes);
        Path large = Paths.get(env.get("SDK_WORK"), "large.bin");
        Files.write(large, bytes);
        String hash = Etag.file(large.toFile());
        config.resumableUploadAPIVersion = Configuration.ResumableUploadAPIVersion.V1;
        call("blocks", "put v1", () -> uploads.put(large.toFile(), "v1.bin", token), contains(hash));
        // A whole number of blocks: the SDK ends it with an empty one.
        call("blocks", "put v1 of a stream", () -> uploads.put(new ByteArrayInputStream(bytes), "v1s.bin", token, null, null), contains(hash));
        config.resumableUploadAPIVersion = Configuration.ResumableUploadAPIVersion.V2;
        UploadManager parts = new UploadManager(config);
        call("parts", "put v2", () -> parts.put(large.toFile(), "v2.bin", token), contains(hash));

        call("stat", "stat", () -> manager.stat(bucket, "v2.bin"), answer -> ((FileInfo) answer).fsize == bytes.length);
        call("stat", "stat of nothing", () -> manager.stat(bucket, "nothing"), 612);
        call("copy", "copy", () -> manager.copy(bucket, "small.txt", bucket, "copy.txt"));
        call("copy", "copy onto another", () -> manager.copy(bucket, "v1.bin", bucket, "copy.txt"), 614);
        call("copy", "copy by force", () -> manager.copy(bucket, "small.txt", bucket, "copy.txt", true));
        call("copy", "move", () -> manager.move(bucket, "copy.txt", bucket, "moved.txt"));
        call("classes", "changeType", () -> manager.changeType(bucket, "moved.txt", StorageType.INFREQUENCY));
        call("classes", "deleteAfterDays", () -> manager.deleteAfterDays(bucket, "moved.txt", 7));
        call("classes", "changeType to archive", () -> manager.changeType(bucket, "moved.txt", StorageType.Archive));
        call("classes", "restoreArchive", () -> manager.restoreArchive(bucket, "moved.txt", 2));
        call("list", "listFiles", () -> manager.listFiles(bucket, "", null, 2, null), answer -> ((FileListing) answer).items.length == 2);
        call("list", "listFilesV2", () -> manager.listFilesV2(bucket, "", null, 3, null), answer -> ((FileListing) answer).items.length == 3);
        call("list", "batch", () -> manager.batch(new BucketManager.BatchOperations().addCopyOp(bucket, "small.txt", bucket, "b1", true)
            .addStatOps(bucket, "b1")).jsonToObject(BatchStatus[].class), answer -> Arrays.stream((BatchStatus[]) answer).allMatch(each -> each.code == 200));
        call("stat", "delete", () -> manager.delete(bucket, "b1"));
        call("fetch", "fetch", () -> manager.fetch(receiver + "/file", bucket, "fetched.txt"));
        call("fetch", "asynFetch", () -> manager.asynFetch(receiver + "/file", bucket, "async.txt"));

        for (String[] kind : new String[][] {{"application/x-www-form-urlencoded", "k=$(key)"}, {"application/json", "{\"k\":$(key)}"}}) {
            StringMap policy = new StringMap().put("callbackUrl", receiver + "/callback?x=1").put("callbackBody", kind[1]).put("callbackBodyType", kind[0]);
            call("verification", "callback as " + kind[0], () -> {
                uploads.put("x".getBytes(), "cb", auth.uploadToken(bucket, "cb", 3600, policy));
                StringMap seen = Json.decode(get(receiver + "/last"));
                Map<?, ?> headers = (Map<?, ?>) seen.get("headers");
                return auth.isValidCallback((String) headers.get("authorization"), receiver + seen.get("url"),
                    ((String) seen.get("body")).getBytes("UTF-8"), (String) headers.get("content-type"));
            }, answer -> (Boolean) answer);
        }

        byte[] picture = Files.readAllBytes(Paths.get(env.get("SDK_PICTURE")));
        uploads.put(picture, "picture.png", token);
        String save = "imageView2/2/w/10|saveas/" + UrlSafeBase64.encodeToString(bucket + ":thumb.png");
        String[] task = {null};
        call("pfop", "pfop", () -> task[0] = tasks.pfop(bucket, "picture.png", save, null, receiver + "/notify", true));
        call("pfop", "prefop", () -> {
            OperationStatus status = tasks.prefop(bucket, task[0]);
            for (int tries = 0; tries < 60 && (status.code == 1 || status.code == 2); tries++) {
                Thread.sleep(500);
                status = tasks.prefop(bucket, task[0]);
            }
            return status;
        }, answer -> ((OperationStatus) answer).code == 0);
        call("persistentOps", "persistentOps without a notice", () -> uploads.put(picture, "p2.png",
            auth.uploadToken(bucket, "p2.png", 3600, new StringMap().put("persistentOps", save))), contains("persistentId"));
        manager.putBucketAccessMode(bucket, AclType.PRIVATE);
        Thread.sleep(6000);
        call("private", "privateDownloadUrl", () -> get(auth.privateDownloadUrl(url + "/" + bucket + "/small.txt", 60)), answer -> answer.equals("hello"));
        System.out.println("{\"done\":true}");
        System.exit(0);
    }
}
