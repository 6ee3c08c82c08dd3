#!/bin/sh
# Runs a command as on a stranger's machine: an ordinary user who can't write to the checkout, no network but the machine's own
# address, and no programs but Node, npm's packages and the plainest of /bin. Needs root, to take all the rest away.
set -eu
if [ "${1:-}" != --inside ]; then exec unshare --mount --net "$0" --inside "$@"; fi
shift
ip link set lo up
place=$(mktemp -d)
mount -t tmpfs -o mode=755 none "$place"
mkdir "$place/bin" "$place/nothing"
install -d -o nobody -g nogroup "$place/home" "$place/tmp"
for program in $(dpkg -L bash coreutils dash findutils grep sed tar | grep -E '^(/usr)?/bin/'); do
  [ ! -e "$program" ] || cp -a "$program" "$place/bin/"
done
[ -e "$place/bin/sh" ] || ln -s dash "$place/bin/sh"
# A program that is named by its path must not be found either.
cp "$(command -v setpriv)" "$place/setpriv"
for folder in /usr/sbin /usr/local /usr/lib/postgresql /usr/lib/nginx; do
  [ ! -d "$folder" ] || mount --bind "$place/nothing" "$folder"
done
mount --bind "$place/bin" /usr/bin
exec "$place/setpriv" --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
  /usr/bin/env HOME="$place/home" TMPDIR="$place/tmp" PATH="$PWD/node_modules/.bin:/bin" "$@"
