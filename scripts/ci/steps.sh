# What .ci/run and .ci/nightly share, to be read by them: a clean machine gets what it needs, steps are timed and counted, and what
# failed is tried once more.

# Ports of its own, so that a run can stand beside a developer's engines.
export MILLPOND_ENGINES_PG_PORT=${MILLPOND_ENGINES_PG_PORT:-25432}
export MILLPOND_ENGINES_CEPH_MON_PORT=${MILLPOND_ENGINES_CEPH_MON_PORT:-23300}
export MILLPOND_ENGINES_S3_PORT=${MILLPOND_ENGINES_S3_PORT:-28480}
export MILLPOND_ENGINES_RTMP_PORT=${MILLPOND_ENGINES_RTMP_PORT:-21935}
export MILLPOND_ENGINES_RTMP_HTTP_PORT=${MILLPOND_ENGINES_RTMP_HTTP_PORT:-28800}
export MILLPOND_ENGINES_OSD_SIZE=${MILLPOND_ENGINES_OSD_SIZE:-8G}

reports=$(mktemp -d)
# Pure tests run as another user, who leaves a report here too.
chmod 777 "$reports"
install -m 666 /dev/null "$reports/flaky"
# Steps and runs that are no tests; the tests are in reports.
passed=0
failed=0
# Runs that failed by a busy machine's slowness, maybe, and are tried once more at the end: what passes then was a flake. A failed test
# vitest tries again itself. Fault runs are none of these: what they lose once is lost.
again=()
suites=()

# Time so far, and time of processors that what has ended used.
heading() {
  local cpu
  times > "$reports/times"
  cpu=$(awk -F '[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$reports/times")
  echo; echo "=== $1 ($SECONDS s, $cpu s of processors)"
}
step() {
  heading "$1"
  shift
  if "$@"; then passed=$((passed + 1)); else echo "FAILED: $*"; failed=$((failed + 1)); fi
}

# Packages of npm; packages of Debian and then engines come beside what the processors do next, until `machine_is_ready`.
prepare_machine() {
  echo "=== install"
  scripts/ci/machine.sh first
  scripts/ci/machine.sh > "$reports/packages.log" 2>&1 & packages=$!
  # By the npm that Node 20 and 22 bring; a test of the first minutes takes the newest.
  npx --yes npm@10.8.2 ci --no-audit --no-fund --loglevel=error
  export PATH="$PWD/node_modules/.bin:$PATH"
  node --version
  npm run --silent engines -- up > "$reports/engines.log" 2>&1 & engines=$!
}
machine_is_ready() {
  step "packages of Debian" in_background_ended "$reports/packages.log" $packages
  step "engines" in_background_ended "$reports/engines.log" $engines
}
in_background_ended() {
  local ending=0
  wait "$2" || ending=$?
  grep -E '^\[|^no |^E:|^engines:' "$1" || true
  [ $ending = 0 ] || tail -n 20 "$1"
  return $ending
}

# What a suite runs in: pure tests have nothing but Node. Where we aren't root, they have what the machine has.
in_bare() { if [ "$1" = pure ] && [ "$(id -u)" = 0 ]; then shift; scripts/ci/bare.sh "$@"; else shift; "$@"; fi; }
# A suite of tests: its name, then arguments of vitest.
suite() {
  local name=$1
  shift
  suites+=("$name")
  heading "$name tests"
  MILLPOND_CI_REPORT="$reports/$name.ci" in_bare "$name" vitest run "$@" --retry=1 --reporter=default --reporter=json \
    --reporter=./scripts/ci/reporter.ts --outputFile.json="$reports/$name.json" || touch "$reports/$name.failed"
}

# Commands, five at a time; what each prints comes whole, when it has ended. What failed and isn't a fault run is tried once more.
together() {
  local command
  heading "$# runs, five at a time"
  passed=$((passed + $#))
  : > "$reports/failed-runs"
  export reports
  export -f run_whole
  # Fails only where a shell of its own was killed, and then nobody has written which run it was.
  printf '%s\0' "$@" | xargs -0 -n 1 -P 5 bash -c 'run_whole "$1"' - || { echo "FAILED: a run was killed"; failed=$((failed + 1)); }
  while read -r command; do
    passed=$((passed - 1))
    if [[ $command == *" chaos "* ]]; then failed=$((failed + 1)); else again+=("$command"); fi
  done < "$reports/failed-runs"
}
run_whole() {
  local output=$reports/run-$$ TIMEFORMAT='%R s, %U + %S s of processors' time ending=
  { time=$( { time $1 > "$output" 2>&1; } 2>&1 ); } || { ending=FAILED; echo "$1" >> "$reports/failed-runs"; }
  { echo "--- $1 ($time) $ending"; cat "$output"; }
}

once_more() {
  local command
  for command in "${again[@]}"; do
    heading "once more: $command"
    if $command; then echo "flaky: $command" >> "$reports/flaky"; passed=$((passed + 1)); else echo "FAILED: $command"; failed=$((failed + 1)); fi
  done
}

# What failed and why, then the closing line; 1 if anything did.
summary() { heading "end"; node scripts/ci/summary.ts "$passed" "$failed" "$reports" "${suites[@]}"; }
