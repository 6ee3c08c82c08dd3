// The common list of calls through Qiniu's SDK for Go. What the environment holds, and what is printed: see ../programs.ts.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/qiniu/go-sdk/v7/auth"
	"github.com/qiniu/go-sdk/v7/conf"
	"github.com/qiniu/go-sdk/v7/storage"
)

var errWrong = errors.New("wrong answer")

func call(row, name string, ask func() error) { refused(row, name, "", ask) }

// refused expects an error that contains the text; none, if it is empty.
func refused(row, name, text string, ask func() error) {
	err := func() (err error) {
		defer func() {
			if thrown := recover(); thrown != nil {
				err = fmt.Errorf("panic: %v", thrown)
			}
		}()
		return ask()
	}()
	passed, detail := err == nil, ""
	if text != "" {
		passed = err != nil && strings.Contains(err.Error(), text)
	}
	if !passed {
		detail = fmt.Sprint(err)
	}
	line, _ := json.Marshal(map[string]any{"row": row, "name": name, "passed": passed, "detail": detail})
	fmt.Println(string(line))
}

func check(holds bool, err error, answer any) error {
	if err == nil && !holds {
		return fmt.Errorf("%w: %+v", errWrong, answer)
	}
	return err
}

func get(url string) string {
	answer, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

func main() {
	url, bucket, receiver := os.Getenv("SDK_URL"), os.Getenv("SDK_BUCKET"), os.Getenv("SDK_RECEIVER")
	mac := auth.New(os.Getenv("SDK_ACCESS_KEY"), os.Getenv("SDK_SECRET_KEY"))
	// The rest it asks the server for.
	os.Setenv("QINIU_BUCKET_URL", url)
	os.Setenv("DISABLE_QINIU_SECURE_PROTOCOL", "1")
	storage.SetUcHost(os.Getenv("SDK_HOST"), false)
	config := storage.NewConfig()
	config.UseHTTPS = false
	manager := storage.NewBucketManager(mac, config)
	tasks := storage.NewOperationManager(mac, config)
	ctx := context.Background()
	first, _ := json.Marshal(map[string]string{"sdk": "Go", "version": conf.Version})
	fmt.Println(string(first))

	call("creation", "CreateBucket", func() error { return manager.CreateBucket(bucket, storage.RIDHuadong) })
	refused("creation", "CreateBucket again", "already exists", func() error { return manager.CreateBucket(bucket, storage.RIDHuadong) })
	call("buckets", "Buckets", func() error {
		names, err := manager.Buckets(false)
		return check(strings.Contains(strings.Join(names, " "), bucket), err, names)
	})
	call("buckets", "BucketInfosInRegion", func() error {
		infos, err := manager.BucketInfosInRegion(storage.RIDHuadong, false)
		return check(len(infos) == 1 && infos[0].Name == bucket, err, infos)
	})
	call("buckets", "GetBucketInfo", func() error {
		info, err := manager.GetBucketInfo(bucket)
		return check(info.Region == "z0", err, info)
	})
	call("buckets", "ListBucketDomains", func() error { _, err := manager.ListBucketDomains(bucket); return err })
	call("regions", "GetRegion", func() error {
		region, err := storage.GetRegion(mac.AccessKey, bucket)
		return check(region != nil && len(region.SrcUpHosts) > 0, err, region)
	})
	call("regions", "GetRegionsInfo", func() error {
		infos, err := storage.GetRegionsInfo(mac)
		return check(len(infos) == 1, err, infos)
	})

	token := (&storage.PutPolicy{Scope: bucket}).UploadToken(mac)
	forms := storage.NewFormUploader(config)
	var put storage.PutRet
	call("form", "Put", func() error {
		return forms.Put(ctx, &put, token, "small.txt", strings.NewReader("hello"), 5, &storage.PutExtra{MimeType: "text/plain"})
	})
	call("form", "PutWithoutKey", func() error { return forms.PutWithoutKey(ctx, &put, token, strings.NewReader("no key"), 6, nil) })
	call("base64", "Base64Uploader", func() error {
		return storage.NewBase64Uploader(config).Put(ctx, &put, token, "b64.txt", []byte("aGVsbG8="), &storage.Base64PutExtra{MimeType: "text/plain"})
	})
	call("answers", "returnBody", func() error {
		shaped := (&storage.PutPolicy{Scope: bucket, ReturnBody: `{"k":$(key),"x":$(x:a)}`}).UploadToken(mac)
		var answer map[string]string
		extra := &storage.PutExtra{Params: map[string]string{"x:a": "vä"}}
		err := forms.Put(ctx, &answer, shaped, "中文 é.txt", strings.NewReader("a"), 1, extra)
		return check(answer["k"] == "中文 é.txt" && answer["x"] == "vä", err, answer)
	})
	call("answers", "custom variables", func() error {
		var answer map[string]string
		extra := &storage.PutExtra{Params: map[string]string{"x:foo": "bar"}}
		err := forms.Put(ctx, &answer, token, "variables", strings.NewReader("a"), 1, extra)
		return check(answer["x:foo"] == "bar", err, answer)
	})
	large := bytes.Repeat([]byte("0123456789abcdef"), (9<<20)/16+1)
	file := os.Getenv("SDK_WORK") + "/large.bin"
	os.WriteFile(file, large, 0o600)
	call("blocks", "ResumeUploader", func() error {
		return storage.NewResumeUploader(config).PutFile(ctx, &put, token, "v1.bin", file, nil)
	})
	call("parts", "ResumeUploaderV2", func() error {
		return storage.NewResumeUploaderV2(config).PutFile(ctx, &put, token, "v2.bin", file, nil)
	})

	call("stat", "Stat", func() error {
		info, err := manager.Stat(bucket, "v2.bin")
		return check(info.Fsize == int64(len(large)), err, info)
	})
	refused("stat", "Stat of nothing", "no such file", func() error { _, err := manager.Stat(bucket, "nothing"); return err })
	call("copy", "Copy", func() error { return manager.Copy(bucket, "small.txt", bucket, "copy.txt", false) })
	refused("copy", "Copy onto another", "file exists", func() error { return manager.Copy(bucket, "v1.bin", bucket, "copy.txt", false) })
	call("copy", "Copy by force", func() error { return manager.Copy(bucket, "small.txt", bucket, "copy.txt", true) })
	call("copy", "Move", func() error { return manager.Move(bucket, "copy.txt", bucket, "moved.txt", false) })
	call("classes", "ChangeType", func() error { return manager.ChangeType(bucket, "moved.txt", 1) })
	call("classes", "DeleteAfterDays", func() error { return manager.DeleteAfterDays(bucket, "moved.txt", 7) })
	call("classes", "ChangeType to archive", func() error { return manager.ChangeType(bucket, "moved.txt", 2) })
	call("classes", "RestoreAr", func() error { return manager.RestoreAr(bucket, "moved.txt", 2) })
	call("list", "ListFiles", func() error {
		items, _, _, more, err := manager.ListFiles(bucket, "", "", "", 2)
		return check(len(items) == 2 && more, err, items)
	})
	call("list", "Batch", func() error {
		answers, err := manager.Batch([]string{storage.URICopy(bucket, "small.txt", bucket, "b1", true), storage.URIStat(bucket, "b1")})
		return check(len(answers) == 2 && answers[0].Code == 200 && answers[1].Code == 200, err, answers)
	})
	call("stat", "Delete", func() error { return manager.Delete(bucket, "b1") })
	call("fetch", "Fetch", func() error {
		answer, err := manager.Fetch(receiver+"/file", bucket, "fetched.txt")
		return check(answer.Key == "fetched.txt", err, answer)
	})
	call("fetch", "AsyncFetch", func() error {
		answer, err := manager.AsyncFetch(storage.AsyncFetchParam{Url: receiver + "/file", Bucket: bucket, Key: "async.txt"})
		return check(answer.Id != "", err, answer)
	})

	for kind, template := range map[string]string{"application/x-www-form-urlencoded": "k=$(key)", "application/json": `{"k":$(key)}`} {
		call("verification", "callback as "+kind, func() error {
			policy := storage.PutPolicy{Scope: bucket, CallbackURL: receiver + "/callback?x=1", CallbackBody: template, CallbackBodyType: kind}
			var answer map[string]bool
			if err := forms.Put(ctx, &answer, policy.UploadToken(mac), "cb", strings.NewReader("x"), 1, nil); err != nil {
				return err
			}
			var seen struct {
				URL     string            `json:"url"`
				Headers map[string]string `json:"headers"`
				Body    string            `json:"body"`
			}
			if err := json.Unmarshal([]byte(get(receiver+"/last")), &seen); err != nil {
				return err
			}
			request, err := http.NewRequest("POST", receiver+seen.URL, strings.NewReader(seen.Body))
			if err != nil {
				return err
			}
			for name, value := range seen.Headers {
				request.Header.Set(name, value)
			}
			verified, err := mac.VerifyCallback(request)
			return check(verified && answer["seen"], err, answer)
		})
	}

	picture, _ := os.ReadFile(os.Getenv("SDK_PICTURE"))
	forms.Put(ctx, &put, token, "picture.png", bytes.NewReader(picture), int64(len(picture)), nil)
	save := "imageView2/2/w/10|saveas/" + storage.EncodedEntry(bucket, "thumb.png")
	task := ""
	call("pfop", "Pfop", func() (err error) {
		task, err = tasks.Pfop(bucket, "picture.png", save, "", receiver+"/notify", true)
		return err
	})
	call("pfop", "Prefop", func() error {
		status, err := tasks.Prefop(task)
		for tries := 0; err == nil && tries < 60 && (status.Code == 1 || status.Code == 2); tries++ {
			time.Sleep(500 * time.Millisecond)
			status, err = tasks.Prefop(task)
		}
		return check(status.Code == 0, err, status)
	})
	call("persistentOps", "persistentOps without a notice", func() error {
		policy := storage.PutPolicy{Scope: bucket, PersistentOps: save}
		var answer map[string]string
		err := forms.Put(ctx, &answer, policy.UploadToken(mac), "p2.png", bytes.NewReader(picture), int64(len(picture)), nil)
		return check(answer["persistentId"] != "", err, answer)
	})
	call("private", "MakePrivateURL", func() error {
		if err := manager.MakeBucketPrivate(bucket); err != nil {
			return err
		}
		time.Sleep(6 * time.Second)
		text := get(storage.MakePrivateURL(mac, url+"/"+bucket, "small.txt", time.Now().Add(time.Minute).Unix()))
		return check(text == "hello", nil, text)
	})
	fmt.Println(`{"done":true}`)
}
