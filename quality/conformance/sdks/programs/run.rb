# The common list of calls through Qiniu's SDK for Ruby. What the environment holds, and what is printed: see ../programs.ts.
$LOAD_PATH.unshift "#{ENV.fetch('SDK_SOURCES')}/lib"
require 'json'
require 'net/http'
require 'qiniu'
require 'securerandom'

# The SDK changes strings that it is given.
URL, BUCKET, RECEIVER, WORK = ENV.values_at('SDK_URL', 'SDK_BUCKET', 'SDK_RECEIVER', 'SDK_WORK').map(&:dup)
hosts = %i[up_host rs_host rsf_host pub_host eu_host uc_host api_host fetch_host].to_h { |name| [name, URL.dup] }
Qiniu.establish_connection!(access_key: ENV['SDK_ACCESS_KEY'], secret_key: ENV['SDK_SECRET_KEY'], **hosts)
STORE = Qiniu::Storage

def call(row, name, wanted = 200)
  code, answer = yield
  passed = code == wanted || code == true
  detail = passed ? '' : "#{code} #{answer}"
rescue StandardError => e
  passed = false
  detail = "#{e.class}: #{e.message}"
ensure
  puts JSON.generate(row: row, name: name, passed: passed, detail: detail.to_s[0, 400])
  $stdout.flush
end

def get(path)
  Net::HTTP.get(URI(path))
end

puts JSON.generate(sdk: 'Ruby', version: Qiniu::Version.to_s)
call('buckets', 'buckets') { code, names = STORE.buckets; [code == 200 && names.include?(BUCKET), names] }
call('buckets', 'domains') { STORE.domains(BUCKET) }

policy = Qiniu::Auth::PutPolicy.new(BUCKET)
token = Qiniu::Auth.generate_uptoken(policy)
small, large = %w[small large].map { |name| "#{WORK}/#{name}.bin" }
File.binwrite(small, 'hello')
File.binwrite(large, SecureRandom.random_bytes(9 * 1024 * 1024 + 7))
call('form', 'upload_with_token_2') { STORE.upload_with_token_2(token, small, 'small.txt', nil, bucket: BUCKET) }
call('form', 'upload_with_token_2 without key') { STORE.upload_with_token_2(token, small, nil, nil, bucket: BUCKET) }
call('form', 'upload_buffer_with_token') { STORE.upload_buffer_with_token(token, 'buffer', 'buffer.txt', nil, bucket: BUCKET) }
call('older form', 'upload_with_token') { STORE.upload_with_token(token, small, BUCKET, 'old.txt') }
call('blocks', 'resumable upload v1') { STORE.resumable_upload_with_token(token, large, BUCKET, 'v1.bin', 'application/x-v1') }
call('parts', 'resumable upload v2') { STORE.resumable_upload_with_token(token, large, BUCKET, 'v2.bin', 'application/x-v2', nil, nil, nil, nil, nil, :v2) }

call('stat', 'stat') { code, found = STORE.stat(BUCKET, 'v2.bin'); [code == 200 && found['fsize'] == 9 * 1024 * 1024 + 7, found] }
call('stat', 'stat of nothing', 612) { STORE.stat(BUCKET, 'nothing') }
call('copy', 'copy') { STORE.copy(BUCKET, 'small.txt', BUCKET, 'copy.txt') }
call('copy', 'copy onto another', 614) { STORE.copy(BUCKET, 'v2.bin', BUCKET, 'copy.txt') }
call('copy', 'move') { STORE.move(BUCKET, 'copy.txt', BUCKET, 'moved.txt') }
call('list', 'list') { code, found = STORE.list(Qiniu::Storage::ListPolicy.new(BUCKET, 2, '', '')); [code == 200 && found['items'].size == 2, found] }
call('list', 'batch') { STORE.batch_copy([BUCKET, 'small.txt', BUCKET, 'b1']) }
call('stat', 'delete') { STORE.delete(BUCKET, 'b1') }
call('fetch', 'fetch') { STORE.fetch(BUCKET, "#{RECEIVER}/file", 'fetched.txt') }

{ 'application/x-www-form-urlencoded' => 'k=$(key)', 'application/json' => '{"k":$(key)}' }.each do |kind, template|
  call('verification', "callback as #{kind}") do
    asked = Qiniu::Auth::PutPolicy.new(BUCKET, 'cb')
    asked.callback_url = "#{RECEIVER}/callback?x=1"
    asked.callback_body = template
    asked.callback_body_type = kind
    code, answer = STORE.upload_with_token_2(Qiniu::Auth.generate_uptoken(asked), small, 'cb', nil, bucket: BUCKET)
    seen = JSON.parse(get("#{RECEIVER}/last"))
    headers = seen['headers']
    type = { 'Content-Type' => headers['content-type'] }
    verified = Qiniu::Auth.authenticate_callback_request_v2(headers['authorization'], 'POST', RECEIVER + seen['url'], type, seen['body'])
    [code == 200 && answer == { 'seen' => true } && verified, answer]
  end
end
call('answers', 'returnBody') do
  asked = Qiniu::Auth::PutPolicy.new(BUCKET)
  asked.return_body = '{"k":$(key)}'
  code, answer = STORE.upload_with_token_2(Qiniu::Auth.generate_uptoken(asked), small, '中文 é.txt', nil, bucket: BUCKET)
  [code == 200 && answer == { 'k' => '中文 é.txt' }, answer]
end

picture = ENV.fetch('SDK_PICTURE')
STORE.upload_with_token_2(token, picture, 'picture.png', nil, bucket: BUCKET)
save = "imageView2/2/w/10|saveas/#{Qiniu::Utils.urlsafe_base64_encode("#{BUCKET}:thumb.png")}"
task = nil
call('pfop', 'pfop') do
  asked = Qiniu::Fop::Persistance::PfopPolicy.new(BUCKET, 'picture.png', save, "#{RECEIVER}/notify")
  asked.force!
  code, answer = Qiniu::Fop::Persistance.pfop(asked)
  task = answer['persistentId']
  [code, answer]
end
call('pfop', 'prefop') do
  answer = nil
  60.times do
    _, answer = Qiniu::Fop::Persistance.prefop(task)
    break unless [1, 2].include?(answer['code'])

    sleep 0.5
  end
  [answer['code'].zero? && answer['items'][0]['key'] == 'thumb.png', answer]
end
call('persistentOps', 'persistentOps without a notice') do
  asked = Qiniu::Auth::PutPolicy.new(BUCKET, 'p2.png')
  asked.persistent_ops = save
  code, answer = STORE.upload_with_token_2(Qiniu::Auth.generate_uptoken(asked), picture, 'p2.png', nil, bucket: BUCKET)
  [code == 200 && !answer['persistentId'].nil?, answer]
end
call('private', 'authorize_download_url') do
  url = "#{URL}/#{BUCKET}/small.txt"
  text = get(Qiniu::Auth.authorize_download_url(url.dup, expires_in: 60))
  [text == 'hello' && get(url) != 'hello', text]
end
puts JSON.generate(done: true)
