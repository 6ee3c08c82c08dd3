#!/bin/sh
# One machine: a Debian of its own with systemd as its first process. Its files are the base's until it changes them. All of it ends with its first
# process, as a machine does whose power is gone.
#   boot.sh <base> <folder of this machine> <name> <network namespace>
set -eu
base=$1 folder=$2 name=$3 network=$4

# systemd needs a hierarchy of its own. Where the older kind is mounted too, the newer is beside it.
hierarchy=/sys/fs/cgroup
[ -e $hierarchy/cgroup.procs ] || hierarchy=$hierarchy/unified
group=$hierarchy/millpond-$(basename "$network")
mkdir -p "$group"
echo $$ > "$group/cgroup.procs"

mkdir -p "$folder/changes" "$folder/work" "$folder/root"
exec nsenter --net="/run/netns/$network" \
  unshare --mount --pid --uts --ipc --cgroup --fork --kill-child sh -euc '
base=$1 folder=$2 name=$3
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$base,upperdir=$folder/changes,workdir=$folder/work" "$folder/root"
cd "$folder/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch dev/$device
  mount --bind /dev/$device dev/$device
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
echo "$name" > etc/hostname
hostname "$name"
mkdir -p outside
pivot_root . outside
umount -l /outside
exec env -i container=millpond PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin /lib/systemd/systemd
' sh "$base" "$folder" "$name"
