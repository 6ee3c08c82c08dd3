<?php
// The common list of calls through Qiniu's SDK for PHP. What the environment holds, and what is printed: see ../programs.ts.
error_reporting(E_ALL & ~E_DEPRECATED);
// Its only dependency, of which it uses one class.
spl_autoload_register(function ($class) {
    if (strpos($class, 'MyCLabs\\Enum\\') === 0) {
        require getenv('SDK_SOURCES') . '/../php-enum/src/' . substr($class, 13) . '.php';
    }
});
require getenv('SDK_SOURCES') . '/autoload.php';

use Qiniu\Auth;
use Qiniu\Config;
use Qiniu\Processing\PersistentFop;
use Qiniu\Region;
use Qiniu\Storage\BucketManager;
use Qiniu\Storage\UploadManager;

[$host, $url, $bucket, $receiver] = [getenv('SDK_HOST'), getenv('SDK_URL'), getenv('SDK_BUCKET'), getenv('SDK_RECEIVER')];
$config = new Config(new Region([$host], [$host], $host, $host, $host, $host));
$config->setUcHost($host);
$config->useHTTPS = false;
$auth = new Auth(getenv('SDK_ACCESS_KEY'), getenv('SDK_SECRET_KEY'));
$manager = new BucketManager($auth, $config);
$uploads = new UploadManager($config);

function call($row, $name, $ask, $holds = null)
{
    try {
        [$answer, $error] = $ask() + [1 => null];
        $passed = $holds ? $holds($answer, $error) : $error === null;
        $detail = $passed ? '' : ($error ? $error->code() . ' ' . $error->message() : json_encode($answer));
    } catch (\Throwable $thrown) {
        [$passed, $detail] = [false, get_class($thrown) . ': ' . $thrown->getMessage()];
    }
    echo json_encode(['row' => $row, 'name' => $name, 'passed' => (bool) $passed, 'detail' => substr($detail, 0, 400)]), "\n";
}

$code = fn($wanted) => fn($answer, $error) => $error && $error->code() == $wanted;
echo json_encode(['sdk' => 'PHP', 'version' => Config::SDK_VER]), "\n";
call('creation', 'createBucket', fn() => $manager->createBucket($bucket, 'z0'));
call('creation', 'createBucket again', fn() => $manager->createBucket($bucket, 'z0'), $code(614));
call('buckets', 'buckets', fn() => $manager->buckets(), fn($answer) => in_array($bucket, $answer));
call('buckets', 'listbuckets', fn() => $manager->listbuckets('z0'), fn($answer) => in_array($bucket, array_column($answer, 'tbl')));
call('buckets', 'bucketInfos', fn() => $manager->bucketInfos('z0'), fn($answer) => in_array($bucket, array_column($answer, 'name')));
call('buckets', 'bucketInfo', fn() => $manager->bucketInfo($bucket), fn($answer) => $answer['region'] == 'z0');
call('buckets', 'domains', fn() => $manager->domains($bucket));
call('buckets', 'putBucketQuota', fn() => $manager->putBucketQuota($bucket, -1, 1000));
call('buckets', 'getBucketQuota', fn() => $manager->getBucketQuota($bucket), fn($answer) => $answer['count'] == 1000);

$token = $auth->uploadToken($bucket);
call('form', 'put', fn() => $uploads->put($token, 'small.txt', 'hello'), fn($answer) => $answer['key'] == 'small.txt');
call('form', 'put without key', fn() => $uploads->put($token, null, 'no key'), fn($answer) => $answer['key'] == $answer['hash']);
$shaped = $auth->uploadToken($bucket, null, 3600, ['returnBody' => '{"k":$(key),"x":$(x:a),"m":$(mimeType)}']);
call(
    'answers',
    'returnBody',
    fn() => $uploads->put($shaped, '中文 é.txt', 'a', ['x:a' => 'vä'], 'text/plain'),
    fn($answer) => $answer == ['k' => '中文 é.txt', 'x' => 'vä', 'm' => 'text/plain'],
);
$large = getenv('SDK_WORK') . '/large.bin';
file_put_contents($large, random_bytes(9 * 1024 * 1024 + 7));
// It takes an older deprecation for an error of its own.
error_clear_last();
[$hash] = \Qiniu\Etag::sum($large);
$right = fn($answer) => $answer['hash'] == $hash;
call('blocks', 'putFile v1', fn() => $uploads->putFile($token, 'v1.bin', $large, ['x-qn-meta-a' => 'b'], 'application/x-v1', false, null, 'v1'), $right);
call('parts', 'putFile v2', fn() => $uploads->putFile($token, 'v2.bin', $large, ['x-qn-meta-a' => 'b'], 'application/x-v2', false, null, 'v2'), $right);

call('stat', 'stat', fn() => $manager->stat($bucket, 'v2.bin'), fn($answer) => $answer['fsize'] == 9 * 1024 * 1024 + 7 && $answer['x-qn-meta'] == ['a' => 'b']);
call('stat', 'stat of nothing', fn() => $manager->stat($bucket, 'nothing'), $code(612));
call('copy', 'copy', fn() => $manager->copy($bucket, 'small.txt', $bucket, 'copy.txt'));
call('copy', 'copy onto another', fn() => $manager->copy($bucket, 'v1.bin', $bucket, 'copy.txt'), $code(614));
call('copy', 'copy by force', fn() => $manager->copy($bucket, 'small.txt', $bucket, 'copy.txt', true));
call('copy', 'move', fn() => $manager->move($bucket, 'copy.txt', $bucket, 'moved.txt'));
call('classes', 'changeType', fn() => $manager->changeType($bucket, 'moved.txt', 1));
call('classes', 'deleteAfterDays', fn() => $manager->deleteAfterDays($bucket, 'moved.txt', 7));
call('classes', 'changeType to archive', fn() => $manager->changeType($bucket, 'moved.txt', 2));
call('classes', 'restoreAr', fn() => $manager->restoreAr($bucket, 'moved.txt', 2));
call('list', 'listFiles', fn() => $manager->listFiles($bucket, null, null, 2), fn($answer) => count($answer['items']) == 2 && $answer['marker']);
call('list', 'listFilesv2', fn() => $manager->listFilesv2($bucket, null, null, 3), fn($answer) => count($answer) == 3);
$batch = array_merge(
    BucketManager::buildBatchCopy($bucket, ['small.txt' => 'b1'], $bucket, true),
    BucketManager::buildBatchStat($bucket, ['b1']),
);
call('list', 'batch', fn() => $manager->batch($batch), fn($answer) => array_column($answer, 'code') == [200, 200]);
call('stat', 'delete', fn() => $manager->delete($bucket, 'b1'));
call('fetch', 'fetch', fn() => $manager->fetch("$receiver/file", $bucket, 'fetched.txt'), fn($answer) => $answer['key'] == 'fetched.txt');
call('fetch', 'asynchFetch', fn() => $manager->asynchFetch("$receiver/file", $bucket, null, 'async.txt'), fn($answer) => $answer['id'] != '');

foreach (['application/x-www-form-urlencoded' => 'k=$(key)', 'application/json' => '{"k":$(key)}'] as $kind => $template) {
    $policy = ['callbackUrl' => "$receiver/callback?x=1", 'callbackBody' => $template, 'callbackBodyType' => $kind];
    call('verification', "callback as $kind", fn() => $uploads->put($auth->uploadToken($bucket, 'cb', 3600, $policy), 'cb', 'x'), function ($answer) use ($auth, $receiver) {
        $seen = json_decode(file_get_contents("$receiver/last"), true);
        $headers = $seen['headers'];
        return $answer == ['seen' => true]
            && $auth->verifyCallback($headers['content-type'], $headers['authorization'], $receiver . $seen['url'], $seen['body'], 'POST', $headers);
    });
}

$picture = file_get_contents(getenv('SDK_PICTURE'));
$uploads->put($token, 'picture.png', $picture);
$save = 'imageView2/2/w/10|saveas/' . \Qiniu\base64_urlSafeEncode("$bucket:thumb.png");
$tasks = new PersistentFop($auth, $config);
[$task] = [null];
call('pfop', 'pfop', function () use ($tasks, $bucket, $save, $receiver, &$task) {
    $asked = $tasks->execute($bucket, 'picture.png', $save, null, "$receiver/notify", true);
    $task = $asked[0];
    return $asked;
});
call('pfop', 'prefop', function () use ($tasks, &$task) {
    for ($tries = 0; $tries < 60; $tries++) {
        $asked = $tasks->status($task);
        if (!$asked[0] || !in_array($asked[0]['code'], [1, 2])) {
            break;
        }
        usleep(500000);
    }
    return $asked;
}, fn($answer) => $answer['code'] == 0 && $answer['items'][0]['key'] == 'thumb.png');
call(
    'persistentOps',
    'persistentOps without a notice',
    fn() => $uploads->put($auth->uploadToken($bucket, 'p2.png', 3600, ['persistentOps' => $save]), 'p2.png', $picture),
    fn($answer) => $answer['persistentId'] != '',
);
$manager->putBucketAccessMode($bucket, 1);
sleep(6);
call('private', 'privateDownloadUrl', fn() => [file_get_contents($auth->privateDownloadUrl("$url/$bucket/small.txt"))], fn($answer) => $answer == 'hello');
echo json_encode(['done' => true]), "\n";
