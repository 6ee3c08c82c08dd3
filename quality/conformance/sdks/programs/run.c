/* The common list of calls through Qiniu's SDK for C. What the environment holds, and what is printed: see ../programs.ts. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "qiniu/conf.h"
#include "qiniu/fop.h"
#include "qiniu/http.h"
#include "qiniu/io.h"
#include "qiniu/multipart_upload.h"
#include "qiniu/region.h"
#include "qiniu/resumable_io.h"
#include "qiniu/rs.h"
#include "qiniu/rsf.h"

#define CLEAR(value) memset(&(value), 0, sizeof(value))

static Qiniu_Client client;

/* Details are printed without what JSON would have to escape. */
static void outcome(const char *row, const char *name, int passed, int code, const char *message) {
  char detail[200] = "";
  if (!passed) snprintf(detail, sizeof detail, "%d %s", code, message ? message : "");
  for (char *at = detail; *at; at++) if (*at == '"' || *at == '\\' || (unsigned char)*at < 32) *at = ' ';
  printf("{\"row\":\"%s\",\"name\":\"%s\",\"passed\":%s,\"detail\":\"%s\"}\n", row, name, passed ? "true" : "false", detail);
  fflush(stdout);
}

static void call(const char *row, const char *name, Qiniu_Error answer, int wanted) {
  outcome(row, name, answer.code == wanted, answer.code, answer.message);
}

static char *token_of(Qiniu_RS_PutPolicy policy) {
  Qiniu_Mac mac = {QINIU_ACCESS_KEY, QINIU_SECRET_KEY};
  policy.expires = 3600;
  return Qiniu_RS_PutPolicy_Token(&policy, &mac);
}

static size_t gather(void *bytes, size_t size, size_t count, void *text) {
  strncat((char *)text, (char *)bytes, size * count < 100 ? size * count : 100);
  return size * count;
}

static long download(const char *url, char *text) {
  long code = 0;
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, gather);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, text);
  curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_cleanup(curl);
  return code;
}

static void specify_hosts(const char *host) {
  const char *hosts[1] = {host};
  Qiniu_Region *region = Qiniu_Region_New("z0", 86400);
  Qiniu_Region_Set_Up_Preferred_Hosts(region, hosts, 1, Qiniu_False);
  Qiniu_Region_Set_Io_Preferred_Hosts(region, hosts, 1, Qiniu_False);
  Qiniu_Region_Set_Rs_Preferred_Hosts(region, hosts, 1, Qiniu_False);
  Qiniu_Region_Set_Rsf_Preferred_Hosts(region, hosts, 1, Qiniu_False);
  Qiniu_Region_Set_Api_Preferred_Hosts(region, hosts, 1, Qiniu_False);
  Qiniu_Region_Set_Bucket_Preferred_Hosts(region, hosts, 1, Qiniu_False);
  Qiniu_Client_SpecifyRegion(&client, region);
}

int main(void) {
  const char *url = getenv("SDK_URL"), *bucket = getenv("SDK_BUCKET"), *receiver = getenv("SDK_RECEIVER"), *picture = getenv("SDK_PICTURE");
  char at[600], fops[600];
  QINIU_ACCESS_KEY = getenv("SDK_ACCESS_KEY");
  QINIU_SECRET_KEY = getenv("SDK_SECRET_KEY");
  QINIU_UC_HOST = QINIU_UC_HOST_BACKUP = QINIU_RS_HOST = QINIU_RSF_HOST = QINIU_API_HOST = QINIU_UP_HOST = QINIU_IOVIP_HOST = url;
  Qiniu_Global_Init(-1);
  Qiniu_Client_InitMacAuth(&client, 1024, NULL);
  specify_hosts(getenv("SDK_HOST"));
  printf("{\"sdk\":\"C\",\"version\":\"%s\"}\n", version);

  Qiniu_RS_PutPolicy policy;
  CLEAR(policy);
  policy.scope = bucket;
  char *token = token_of(policy);
  Qiniu_Io_PutRet put;
  Qiniu_Io_PutExtra extra;
  CLEAR(put);
  CLEAR(extra);
  extra.mimeType = "text/plain";
  call("form", "Io_PutBuffer", Qiniu_Io_PutBuffer(&client, &put, token, "small.txt", "hello", 5, &extra), 200);
  call("form", "Io_PutBuffer without key", Qiniu_Io_PutBuffer(&client, &put, token, NULL, "no key", 6, NULL), 200);
  call("form", "Io_PutFile", Qiniu_Io_PutFile(&client, &put, token, "picture.png", picture, NULL), 200);
  FILE *large = fopen("large.bin", "wb");
  for (int byte = 0; byte < 9 * 1024 * 1024 + 7; byte++) fputc((byte * 7919) >> 5, large);
  fclose(large);
  Qiniu_Rio_PutExtra blocks;
  CLEAR(blocks);
  call("blocks", "Rio_PutFile", Qiniu_Rio_PutFile(&client, &put, token, "v1.bin", "large.bin", &blocks), 200);
  Qiniu_Multipart_PutExtra parts;
  Qiniu_MultipartUpload_Result uploaded;
  CLEAR(parts);
  CLEAR(uploaded);
  parts.partSize = 4 << 20;
  call("parts", "Multipart_PutFile", Qiniu_Multipart_PutFile(&client, token, "v2.bin", "large.bin", &parts, &uploaded), 200);

  Qiniu_RS_StatRet found;
  CLEAR(found);
  call("stat", "RS_Stat", Qiniu_RS_Stat(&client, &found, bucket, "small.txt"), 200);
  outcome("stat", "its size", found.fsize == 5, (int)found.fsize, "bytes");
  call("stat", "RS_Stat of nothing", Qiniu_RS_Stat(&client, &found, bucket, "nothing"), 612);
  call("copy", "RS_Copy", Qiniu_RS_Copy(&client, bucket, "small.txt", bucket, "copy.txt", Qiniu_False), 200);
  call("copy", "RS_Copy onto another", Qiniu_RS_Copy(&client, bucket, "picture.png", bucket, "copy.txt", Qiniu_False), 614);
  call("copy", "RS_Copy by force", Qiniu_RS_Copy(&client, bucket, "small.txt", bucket, "copy.txt", Qiniu_True), 200);
  call("copy", "RS_Move", Qiniu_RS_Move(&client, bucket, "copy.txt", bucket, "moved.txt", Qiniu_True), 200);
  call("classes", "RS_ChangeType", Qiniu_RS_ChangeType(&client, bucket, "moved.txt", 1), 200);
  call("classes", "RS_DeleteAfterDays", Qiniu_RS_DeleteAfterDays(&client, bucket, "moved.txt", 7), 200);
  call("classes", "RS_ChangeType to archive", Qiniu_RS_ChangeType(&client, bucket, "moved.txt", 2), 200);
  call("classes", "RS_RestoreArchive", Qiniu_RS_RestoreArchive(&client, bucket, "moved.txt", 2), 200);
  Qiniu_RSF_ListRet list;
  CLEAR(list);
  call("list", "RSF_ListFiles", Qiniu_RSF_ListFiles(&client, &list, bucket, "", "", "", 2), 200);
  outcome("list", "its length", list.itemsCount == 2, list.itemsCount, "items");
  Qiniu_RS_EntryPathPair pair[1] = {{{bucket, "small.txt"}, {bucket, "b1"}}};
  Qiniu_RS_BatchItemRet copied[1];
  CLEAR(copied);
  call("list", "RS_BatchCopy", Qiniu_RS_BatchCopy(&client, copied, pair, 1), 200);
  call("stat", "RS_Delete", Qiniu_RS_Delete(&client, bucket, "b1"), 200);
  Qiniu_RS_FetchRet fetched;
  CLEAR(fetched);
  snprintf(at, sizeof at, "%s/file", receiver);
  call("fetch", "RS_Fetch", Qiniu_RS_Fetch(&client, &fetched, at, bucket, "fetched.txt"), 200);

  char callback[600];
  snprintf(callback, sizeof callback, "%s/callback?x=1", receiver);
  CLEAR(policy);
  policy.scope = bucket;
  policy.callbackUrl = callback;
  policy.callbackBody = "k=$(key)";
  call("answers", "callback", Qiniu_Io_PutBuffer(&client, &put, token_of(policy), "cb", "x", 1, NULL), 200);
  CLEAR(policy);
  policy.scope = bucket;
  policy.returnBody = "{\"key\":$(key),\"hash\":$(etag)}";
  call("answers", "returnBody", Qiniu_Io_PutBuffer(&client, &put, token_of(policy), "rb", "x", 1, NULL), 200);

  char *commands[1] = {"imageView2/2/w/10"};
  Qiniu_FOP_PfopRet task;
  CLEAR(task);
  snprintf(at, sizeof at, "%s/notify", receiver);
  call("pfop", "FOP_Pfop", Qiniu_FOP_Pfop(&client, &task, bucket, "picture.png", commands, 1, NULL, at, 1), 200);
  if (task.persistentId) {
    Qiniu_FOP_PrefopRet ended;
    Qiniu_FOP_PrefopItemRet items[4];
    Qiniu_ItemCount count = 0;
    Qiniu_Error answer;
    snprintf(fops, sizeof fops, "%s", task.persistentId);
    for (int tries = 0; tries < 60; tries++) {
      CLEAR(ended);
      CLEAR(items);
      answer = Qiniu_FOP_Prefop(&client, &ended, items, &count, fops, 4);
      if (answer.code != 200 || (ended.code != 1 && ended.code != 2)) break;
      usleep(500000);
    }
    outcome("pfop", "FOP_Prefop", answer.code == 200 && ended.code == 0, answer.code, answer.message);
  }
  CLEAR(policy);
  policy.scope = bucket;
  policy.persistentOps = "imageView2/2/w/10";
  CLEAR(put);
  call("persistentOps", "persistentOps without a notice", Qiniu_Io_PutFile(&client, &put, token_of(policy), "p2.png", picture, NULL), 200);

  Qiniu_Mac mac = {QINIU_ACCESS_KEY, QINIU_SECRET_KEY};
  Qiniu_RS_GetPolicy get = {60};
  char text[200] = "";
  snprintf(at, sizeof at, "%s/%s/small.txt", url, bucket);
  long unsigned_code = download(at, text);
  text[0] = '\0';
  long code = download(Qiniu_RS_GetPolicy_MakeRequest(&get, at, &mac), text);
  outcome("private", "GetPolicy_MakeRequest", unsigned_code == 401 && code == 200 && strcmp(text, "hello") == 0, (int)code, text);
  printf("{\"done\":true}\n");
  return 0;
}
