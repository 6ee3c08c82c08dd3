#!/usr/bin/env bash
# Debian's packages for all tests, on a machine that may have none of them: `scripts/ci/machine.sh [first|night]`. `first` is
# only what Node and npm need, `night` what .ci/nightly needs besides. Installs as root; for anyone else what is there must do.
set -euo pipefail
[ "$(id -u)" = 0 ] || exit 0

settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
# A machine whose power goes in the middle of this begins anew.
echo 'DPkg::Options { "--force-unsafe-io"; };' > "$settings/apt.conf"
export APT_CONFIG=$settings/apt.conf
apt="apt-get -qq -o DPkg::Lock::Timeout=600"
install() { dpkg -s "$@" >/dev/null 2>&1 || $apt install -y --no-install-recommends "$@"; }

if [ "${1:-}" = first ]; then
  $apt update || echo 'package lists may be old'
  # The packaged Node needs them, which a minimal Debian lacks.
  install libatomic1 libstdc++6
  exit
fi
if [ "${1:-}" = night ]; then
  # For images, and for machines of other releases.
  install buildah podman podman-compose runc debootstrap
  exit
fi
# The sandbox needs the first two, see docs/sandbox.md. The others are clients of S3 as users have them, see
# quality/acceptance/s3/clients; the last one is for the page about Go.
install bubblewrap ffmpeg sip-tester awscli rclone restic s3cmd python3-boto3 golang-go
# For the client in a browser, and the console; then for completion in shells. Their tests say what is left out where there is none.
install chromium chromium-headless-shell || echo 'no chromium'
for shell in zsh fish; do install "$shell" || echo "no $shell"; done
# Prometheus's tool, which judges the alert rules: only its program, as the package would start a server. 19 MB, 5 s.
if ! command -v promtool; then
  cd "$settings"
  { $apt download prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x -C /usr/local/bin --strip-components=3 ./usr/bin/promtool; } ||
    echo 'no promtool'
fi
