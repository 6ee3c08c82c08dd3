"""The common list of calls through Qiniu's SDK for Python. What the environment holds, and what is printed: see ../programs.ts."""
import json
import os
import sys
import time
import urllib.request
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.environ["SDK_SOURCES"])
import qiniu  # noqa: E402
from qiniu import Auth, BucketManager, PersistentFop, Zone, etag, op_save, put_data, put_file, put_file_v2, set_default  # noqa: E402

URL, BUCKET, RECEIVER = os.environ["SDK_URL"], os.environ["SDK_BUCKET"], os.environ["SDK_RECEIVER"]
set_default(default_rs_host=URL, default_rsf_host=URL, default_api_host=URL, default_uc_host=URL)
set_default(default_zone=Zone(up_host=URL, io_host=URL, rs_host=URL, rsf_host=URL, api_host=URL, scheme="http"))
auth = Auth(os.environ["SDK_ACCESS_KEY"], os.environ["SDK_SECRET_KEY"])
manager = BucketManager(auth)
token = auth.upload_token(BUCKET)


def call(row, name, ask, holds=lambda answer, info: info.status_code == 200):
    try:
        *answers, info = ask()
        passed = bool(holds(answers[0], info))
        detail = "" if passed else f"{info.status_code} {info.text_body} {answers[0]}"
    except Exception as error:  # noqa: BLE001
        passed, detail = False, f"{type(error).__name__}: {error}"
    print(json.dumps({"row": row, "name": name, "passed": passed, "detail": detail[:400]}), flush=True)


def status(code):
    return lambda answer, info: info.status_code == code


class Plain:
    """What was not asked through the SDK."""

    def __init__(self, code, text):
        self.status_code, self.text_body = code, text


def get(url):
    with urllib.request.urlopen(url) as answer:
        text = answer.read().decode()
        return text, Plain(answer.status, text)


def last_callback():
    return json.loads(get(RECEIVER + "/last")[0])


print(json.dumps({"sdk": "Python", "version": qiniu.__version__}))
call("creation", "mkbucketv3", lambda: manager.mkbucketv3(BUCKET, "z0"))
call("creation", "mkbucketv3 again", lambda: manager.mkbucketv3(BUCKET, "z0"), status(614))
call("buckets", "buckets", manager.buckets, lambda answer, _: BUCKET in answer)
call("buckets", "list_bucket", lambda: manager.list_bucket("z0"), lambda answer, _: BUCKET in [each["tbl"] for each in answer])
call("buckets", "bucket_info", lambda: manager.bucket_info(BUCKET), lambda answer, _: answer["region"] == "z0")
call("buckets", "bucket_domain", lambda: manager.bucket_domain(BUCKET))

call("form", "put_data", lambda: put_data(token, "small.txt", b"hello"), lambda answer, _: answer["key"] == "small.txt")
call("form", "put_data without key", lambda: put_data(token, None, b"no key"), lambda answer, _: answer["key"] == answer["hash"])
body = {"returnBody": '{"k":$(key),"x":$(x:a),"m":$(mimeType)}'}
call(
    "answers",
    "returnBody",
    lambda: put_data(auth.upload_token(BUCKET, None, 3600, body), "中文 é.txt", b"a", params={"x:a": "vä"}, mime_type="text/plain"),
    lambda answer, _: answer == {"k": "中文 é.txt", "x": "vä", "m": "text/plain"},
)
large = os.path.join(os.environ["SDK_WORK"], "large.bin")
with open(large, "wb") as file:
    file.write(os.urandom(9 * 1024 * 1024 + 7))
right = lambda answer, _: answer["hash"] == etag(large)  # noqa: E731
call("blocks", "put_file v1", lambda: put_file(token, "v1.bin", large, version="v1", metadata={"x-qn-meta-a": "b"}), right)
call("parts", "put_file v2", lambda: put_file_v2(token, "v2.bin", large, version="v2", bucket_name=BUCKET, metadata={"x-qn-meta-a": "b"}))

call("stat", "stat", lambda: manager.stat(BUCKET, "v2.bin"), lambda answer, _: answer["fsize"] == 9 * 1024 * 1024 + 7 and answer["x-qn-meta"] == {"a": "b"})
call("stat", "stat of nothing", lambda: manager.stat(BUCKET, "nothing"), status(612))
call("copy", "copy", lambda: manager.copy(BUCKET, "small.txt", BUCKET, "copy.txt"))
call("copy", "copy onto another", lambda: manager.copy(BUCKET, "v1.bin", BUCKET, "copy.txt"), status(614))
call("copy", "copy by force", lambda: manager.copy(BUCKET, "small.txt", BUCKET, "copy.txt", "true"))
call("copy", "move", lambda: manager.move(BUCKET, "copy.txt", BUCKET, "moved.txt"))
call("classes", "change_type", lambda: manager.change_type(BUCKET, "moved.txt", 1))
call("classes", "delete_after_days", lambda: manager.delete_after_days(BUCKET, "moved.txt", 7))
call("classes", "change_type to archive", lambda: manager.change_type(BUCKET, "moved.txt", 2))
call("classes", "restore_ar", lambda: manager.restore_ar(BUCKET, "moved.txt", 3))
call("list", "list", lambda: manager.list(BUCKET, limit=2)[::2], lambda answer, _: len(answer["items"]) == 2 and answer["marker"])
call("list", "list of directories", lambda: manager.list(BUCKET, delimiter="/")[::2])
batch = qiniu.build_batch_copy(BUCKET, {"small.txt": "b1"}, BUCKET, force="true") + qiniu.build_batch_stat(BUCKET, ["b1"])
call("list", "batch", lambda: manager.batch(batch), lambda answer, _: [each["code"] for each in answer] == [200, 200])
call("stat", "delete", lambda: manager.delete(BUCKET, "b1"))
call("fetch", "fetch", lambda: manager.fetch(RECEIVER + "/file", BUCKET, "fetched.txt"), lambda answer, _: answer["key"] == "fetched.txt")

for kind, template in [("application/x-www-form-urlencoded", "k=$(key)"), ("application/json", '{"k":$(key)}')]:
    policy = {"callbackUrl": RECEIVER + "/callback?x=1", "callbackBody": template, "callbackBodyType": kind}

    def verified(answer, _):
        seen = last_callback()
        header = seen["headers"]
        return answer == {"seen": True} and auth.verify_callback(
            header["authorization"], RECEIVER + seen["url"], seen["body"], content_type=header["content-type"]
        )

    call("verification", f"callback as {kind}", lambda: put_data(auth.upload_token(BUCKET, "cb", 3600, policy), "cb", b"x"), verified)

with open(os.environ["SDK_PICTURE"], "rb") as file:
    picture = file.read()
put_data(token, "picture.png", picture)
save = op_save("imageView2/2/w/10", BUCKET, "thumb.png")
task = []


def submit():
    answer, info = PersistentFop(auth, BUCKET, notify_url=RECEIVER + "/notify").execute("picture.png", [save], 1)
    task.append(answer and answer.get("persistentId"))
    return answer, info


def ended():
    for _ in range(60):
        answer, info = PersistentFop(auth, BUCKET).get_status(task[0])
        if answer is None or answer["code"] not in (1, 2):
            break
        time.sleep(0.5)
    return answer, info


call("pfop", "pfop", submit, lambda answer, _: "persistentId" in answer)
call("pfop", "prefop", ended, lambda answer, _: answer["code"] == 0 and answer["items"][0]["key"] == "thumb.png")
call(
    "persistentOps",
    "persistentOps without a notice",
    lambda: put_data(auth.upload_token(BUCKET, "p2.png", 3600, {"persistentOps": save}), "p2.png", picture),
    lambda answer, _: "persistentId" in answer,
)
manager.change_bucket_permission(BUCKET, 1)
time.sleep(6)
call("private", "private_download_url", lambda: get(auth.private_download_url(f"{URL}/{BUCKET}/small.txt", 60)), lambda answer, _: answer == "hello")
print(json.dumps({"done": True}))
