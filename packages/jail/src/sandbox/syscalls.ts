/**
 * System calls denied to a sandboxed program: name, number on x86_64, number on aarch64 (undefined: that machine has no such
 * call). A deny-list, because engines and their libraries use too many calls to name them all; the namespaces are the wall,
 * this takes away the tools to dig under it.
 */
export type DeniedCall = readonly [name: string, x64: number, arm64: number | undefined];

export const deniedCalls: readonly DeniedCall[] = [
  // Network, and every other way to open a connection.
  ['socket', 41, 198],
  ['socketpair', 53, 199],
  ['connect', 42, 203],
  ['bind', 49, 200],
  ['listen', 50, 201],
  ['accept', 43, 202],
  ['accept4', 288, 242],
  // Other processes.
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['kcmp', 312, 272],
  ['pidfd_open', 434, 434],
  ['pidfd_getfd', 438, 438],
  // Mounts, namespaces, devices, files by handle.
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['setns', 308, 268],
  ['unshare', 272, 97],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fspick', 433, 433],
  ['fsmount', 432, 432],
  ['move_mount', 429, 429],
  ['open_tree', 428, 428],
  ['mount_setattr', 442, 442],
  ['mknod', 133, undefined],
  ['mknodat', 259, 33],
  ['name_to_handle_at', 303, 264],
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  ['fanotify_mark', 301, 263],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  // Parts of the kernel that have often been vulnerable.
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['io_uring_enter', 426, 426],
  ['io_uring_register', 427, 427],
  ['keyctl', 250, 219],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['vmsplice', 278, 75],
  ['personality', 135, 92],
  ['modify_ldt', 154, undefined],
  ['iopl', 172, undefined],
  ['ioperm', 173, undefined],
  ['uselib', 134, undefined],
  ['lookup_dcookie', 212, 18],
  // Memory that no limit counts.
  ['memfd_create', 319, 279],
  ['memfd_secret', 447, 447],
  ['shmget', 29, 194],
  ['msgget', 68, 186],
  ['semget', 64, 190],
  ['mq_open', 240, 180],
  // The machine itself.
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['reboot', 169, 142],
  ['acct', 163, 89],
  ['syslog', 103, 116],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['clock_adjtime', 305, 266],
  ['adjtimex', 159, 171],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
  ['vhangup', 153, 58],
];

export interface Machine {
  /** The kernel's name of the architecture in a filter. */
  readonly audit: number;
  readonly clone: number;
  readonly clone3: number;
  /** Call numbers from here on belong to the x32 mode, which would bypass the list. */
  readonly foreignFrom: number | undefined;
  readonly denied: readonly number[];
}

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    foreignFrom: 0x40000000,
    denied: deniedCalls.map(([, x64]) => x64),
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    foreignFrom: undefined,
    denied: deniedCalls.flatMap(([, , arm64]) => (arm64 === undefined ? [] : [arm64])),
  },
};

/** `architecture` as process.arch says it. */
export function machineOf(architecture: string): Machine | undefined {
  return Object.hasOwn(machines, architecture) ? machines[architecture] : undefined;
}
