#!/bin/sh
# Runs a command with another release of Debian as its root: enter.sh <tree> <checkout> <engines' data> <command> [argument…]. To be
# started by `unshare --mount`: the mounts are then seen by nobody else, and gone with the last process. Processes, network, /tmp and
# the checkout stay those of the machine; the checkout's .engines is another folder, since one release can't read another's data.
set -eu
tree=$1 checkout=$2 engines=$3
shift 3
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")

mount --make-rprivate /
mount --bind "$tree" "$tree"
for place in /dev /proc /sys /tmp; do mount --rbind "$place" "$tree$place"; done
# How this machine reaches the world.
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
  [ ! -e "$file" ] || { [ -e "$tree$file" ] || : > "$tree$file"; mount --bind "$file" "$tree$file"; }
done
mkdir -p "$tree$checkout" "$checkout/.engines"
mount --rbind "$checkout" "$tree$checkout"
mount --bind "$engines" "$tree$checkout/.engines"
# Node and npm are the machine's, and stay while `npm ci` replaces those of the checkout.
node=$(readlink -f "$(command -v node)")
mount -t tmpfs -o mode=755 none "$tree/usr/local"
mkdir -p "$tree/usr/local/bin" "$tree/usr/local/lib/node_modules/npm"
mount --bind "$npm" "$tree/usr/local/lib/node_modules/npm"
: > "$tree/usr/local/bin/node"
mount --bind "$node" "$tree/usr/local/bin/node"
for program in npm npx; do ln -s "../lib/node_modules/npm/bin/$program-cli.js" "$tree/usr/local/bin/$program"; done

cd "$tree"
pivot_root . mnt
umount -l /mnt
cd "$checkout"
exec "$@"
