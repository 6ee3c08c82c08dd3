"""Talks to Ceph's monitor: `monitor.py CONF SECONDS COMMAND`, arguments as JSON on stdin, the answer as JSON on stdout.

One process does all the calls of a step over one connection; the `ceph` command takes 0.4 s for each.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import rados

conf, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3]
arguments = json.load(sys.stdin)
deadline = time.monotonic() + seconds
cluster = rados.Rados(conffile=conf, name="client.admin")


def call(prefix, payload=b"", **parameters):
    request = json.dumps({"prefix": prefix, "format": "json", **parameters})
    code, output, error = cluster.mon_command(request, payload)
    if code:
        sys.exit(f"{prefix}: {error} ({code})")
    return json.loads(output) if output.strip() else None


def until(check, describe):
    """Repeats check until it is true; at the deadline ends with what describe says."""
    while not check():
        if time.monotonic() > deadline:
            sys.exit(f"not within {seconds:.0f} s: {describe()}")
        time.sleep(0.1)


def osds_up():
    return {osd["osd"]: osd["up_from"] for osd in call("osd dump")["osds"] if osd["up"]}


def position():
    """Where the cluster's maps are now. What comes later is a new life, what comes earlier a memory of the last one."""
    return {"epoch": call("osd dump")["epoch"], "manager": call("mgr dump")["active_gid"]}


def add_osds(osds):
    for osd in osds:
        secret = json.dumps({"cephx_secret": osd["key"]}).encode()
        call("osd new", secret, uuid=osd["uuid"], id=osd["id"])


def make_pools():
    call("health mute", code="MGR_MODULE_ERROR", sticky=True)
    standard = {
        ".rgw.root": 1,
        "default.rgw.log": 1,
        "default.rgw.control": 1,
        "default.rgw.meta": 1,
        "default.rgw.buckets.index": 4,
        "default.rgw.buckets.non-ec": 1,
        "default.rgw.buckets.data": 16,
    }
    # Side by side, so that the monitor agrees on them in a few rounds instead of one after the other.
    with ThreadPoolExecutor(len(standard) + 1) as pool:
        made = [pool.submit(make_replicated_pool, *each) for each in standard.items()]
        made.append(pool.submit(make_cold_pool, "default.rgw.cold.data", 8))
        for each in made:
            each.result()


def make_replicated_pool(name, groups):
    # From 18 on, names that begin with a dot need it; without, the answer is a success and there is no pool. 16 ignores it.
    call(
        "osd pool create",
        pool=name,
        pg_num=groups,
        pgp_num=groups,
        pool_type="replicated",
        yes_i_really_mean_it=True,
    )
    call("osd pool application enable", pool=name, app="rgw", yes_i_really_mean_it=True)


def make_cold_pool(name, groups):
    profile = ["k=2", "m=1", "plugin=isa", "crush-failure-domain=host"]
    call("osd erasure-code-profile set", name="cold", profile=profile)
    call(
        "osd pool create",
        pool=name,
        pg_num=groups,
        pgp_num=groups,
        pool_type="erasure",
        erasure_code_profile="cold",
    )
    # Ceph wants all three shards before it writes: one dead OSD would stop the pool.
    call("osd pool set", pool=name, var="min_size", val="2")
    call("osd pool application enable", pool=name, app="rgw", yes_i_really_mean_it=True)


def await_up(osds, after):
    """An OSD that was killed counts as up until somebody notices: only one that came up after that epoch is meant."""
    until(
        lambda: all(osds_up().get(osd, 0) > after for osd in osds),
        lambda: f"OSDs up are {sorted(osds_up())}",
    )


def await_clean(osds, previous_manager, settle):
    """All copies of everything in place. The monitor keeps the states of the last life until a new manager reports, so
    after a start a manager other than that one must be at work; after a fault the states must stay clean for a while,
    since the manager hears of it up to a second late."""

    def manager_reports():
        manager = call("mgr dump")
        return manager["available"] and manager["active_gid"] != previous_manager

    def clean():
        status = call("status")
        groups = status["pgmap"]
        good = sum(
            state["count"]
            for state in groups.get("pgs_by_state", [])
            if state["state_name"].startswith("active+clean")
        )
        return status["osdmap"]["num_up_osds"] == osds and 0 < groups["num_pgs"] == good

    until(manager_reports, lambda: "no manager at work")
    if previous_manager is not None:
        time.sleep(1.1)
    since = None

    def settled():
        nonlocal since
        if not clean():
            since = None
            return False
        since = since or time.monotonic()
        return time.monotonic() - since >= settle

    until(settled, lambda: json.dumps(status()))


def status():
    now = call("status")
    return {
        "health": now["health"]["status"],
        "osdsUp": now["osdmap"]["num_up_osds"],
        "placementGroups": {
            state["state_name"]: state["count"] for state in now["pgmap"].get("pgs_by_state", [])
        },
        "checks": {
            name: check["summary"]["message"]
            for name, check in now["health"].get("checks", {}).items()
            if not check.get("muted")
        },
    }


commands = {
    "position": position,
    "add_osds": add_osds,
    "make_pools": make_pools,
    "await_up": await_up,
    "await_clean": await_clean,
    "status": status,
}

cluster.conf_set("client_mount_timeout", str(int(seconds)))
try:
    cluster.connect(timeout=int(seconds))
except rados.Error as fault:
    sys.exit(f"no answer from the monitor: {fault}")
print(json.dumps(commands[command](**arguments)))
cluster.shutdown()
