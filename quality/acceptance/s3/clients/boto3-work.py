"""What programs with boto3 do, against the endpoint and bucket of the arguments; the first wrong answer ends it."""

import io
import sys
import urllib.request
import ssl

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.client import Config
from botocore.exceptions import ClientError

url, bucket, certificate = sys.argv[1:4]
verify = certificate or None


def client(**config):
    options = {"retries": {"total_max_attempts": 1}, "s3": {"addressing_style": "path"}}
    return boto3.client(
        "s3", endpoint_url=url, region_name="us-east-1", verify=verify, config=Config(**options, **config)
    )


def request(address, method="GET", data=None, headers=None):
    context = ssl.create_default_context(cafile=certificate) if certificate else None
    asked = urllib.request.Request(address, method=method, data=data, headers=headers or {})
    with urllib.request.urlopen(asked, context=context) as answer:
        return answer.read()


def code_of(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


s3 = client()
s3.create_bucket(Bucket=bucket)

# One object, with all that goes with it.
put = s3.put_object(
    Bucket=bucket, Key="dir/ü + a.txt", Body=b"hello world", ContentType="text/plain", Metadata={"colour": "blue"}
)
assert put["ETag"] == '"5eb63bbbe01eeed093cb22bb8f5acdc3"', put
got = s3.get_object(Bucket=bucket, Key="dir/ü + a.txt")
assert got["Body"].read() == b"hello world"
assert got["Metadata"] == {"colour": "blue"} and got["ContentType"] == "text/plain", got
assert s3.head_object(Bucket=bucket, Key="dir/ü + a.txt")["ContentLength"] == 11
ranged = s3.get_object(Bucket=bucket, Key="dir/ü + a.txt", Range="bytes=6-")
assert ranged["Body"].read() == b"world" and ranged["ContentRange"] == "bytes 6-10/11", ranged
assert code_of(s3.get_object, Bucket=bucket, Key="missing") == "NoSuchKey"
assert code_of(s3.head_object, Bucket=bucket, Key="missing") == "404"

# Lists, page by page, and several deletes in one call.
names = [f"n/{number:02}" for number in range(7)]
for name in names:
    s3.put_object(Bucket=bucket, Key=name, Body=name.encode())
pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix="n/", PaginationConfig={"PageSize": 3})
assert [each["Key"] for page in pages for each in page["Contents"]] == names
groups = s3.list_objects_v2(Bucket=bucket, Delimiter="/")
assert [each["Prefix"] for each in groups["CommonPrefixes"]] == ["dir/", "n/"], groups
deleted = s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": name} for name in names]})
assert sorted(each["Key"] for each in deleted["Deleted"]) == names, deleted
assert s3.list_objects_v2(Bucket=bucket, Prefix="n/")["KeyCount"] == 0

# In parts, from a stream, and back by ranges at the same time.
large = bytes(range(256)) * 4096 * 6
parts = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
s3.upload_fileobj(io.BytesIO(large), bucket, "large", Config=parts)
assert s3.head_object(Bucket=bucket, Key="large")["ETag"].endswith('-2"')
back = io.BytesIO()
s3.download_fileobj(bucket, "large", back, Config=parts)
assert back.getvalue() == large
assert b"".join(s3.get_object(Bucket=bucket, Key="large")["Body"].iter_chunks(1 << 20)) == large
s3.copy({"Bucket": bucket, "Key": "large"}, bucket, "copied", Config=TransferConfig(multipart_threshold=64 << 20))
assert s3.get_object(Bucket=bucket, Key="copied")["Body"].read() == large

# An upload that is given up leaves nothing.
upload = s3.create_multipart_upload(Bucket=bucket, Key="never")["UploadId"]
s3.upload_part(Bucket=bucket, Key="never", UploadId=upload, PartNumber=1, Body=b"part")
assert s3.list_multipart_uploads(Bucket=bucket)["Uploads"][0]["UploadId"] == upload
s3.abort_multipart_upload(Bucket=bucket, Key="never", UploadId=upload)
assert code_of(s3.head_object, Bucket=bucket, Key="never") == "404"

# Presigned, with both signatures: the older one is what it makes by itself in us-east-1.
for version in ["s3", "s3v4"]:
    signer = client(signature_version=version)
    place = {"Bucket": bucket, "Key": f"presigned {version}"}
    typed = {**place, "ContentType": "text/plain"}
    request(signer.generate_presigned_url("put_object", Params=typed), "PUT", b"by a URL", {"Content-Type": "text/plain"})
    assert request(signer.generate_presigned_url("get_object", Params=place)) == b"by a URL"
    form = signer.generate_presigned_post(bucket, f"form {version}")
    boundary = "a-boundary"
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in form["fields"].items()
    )
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nby a form\r\n--{boundary}--\r\n'
    request(
        form["url"], "POST", (fields + file).encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    )
    assert s3.get_object(Bucket=bucket, Key=f"form {version}")["Body"].read() == b"by a form"

if tuple(map(int, boto3.__version__.split(".")[:2])) >= (1, 36):
    summed = s3.put_object(Bucket=bucket, Key="summed", Body=b"hello world", ChecksumAlgorithm="SHA256")
    assert summed["ChecksumSHA256"] == "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=", summed
    assert s3.put_object(Bucket=bucket, Key="summed", Body=b"hello world")["ChecksumCRC32"] == "DUoRhQ=="
    assert code_of(s3.put_object, Bucket=bucket, Key="summed", Body=b"x", IfNoneMatch="*") == "PreconditionFailed"

resource = boto3.resource("s3", endpoint_url=url, region_name="us-east-1", verify=verify)
resource.Bucket(bucket).objects.all().delete()
s3.delete_bucket(Bucket=bucket)
assert bucket not in [each["Name"] for each in s3.list_buckets()["Buckets"]]
print("done")
