# shellcheck shell=sh
# Sourced by arm64.sh and card-machine.sh: lets this computer run programs for arm64.

# The processor of a Pi 4. The one that qemu makes up by itself has vector instructions that no Pi has (SVE), and with
# them NumPy's matrix products came out wrong.
export QEMU_CPU=cortex-a72

# run_arm64: tells the kernel to run arm64 programs through qemu, where it does not know how yet; as root.
run_arm64() {
    if [ "$(uname -m)" = aarch64 ]; then return; fi
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    if [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then return; fi
    # F keeps qemu open, so that the other system need not hold it.
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":qemu-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" >/proc/sys/fs/binfmt_misc/register
    registered=yes
}

# forget_arm64: takes back what run_arm64 registered, and nothing else.
forget_arm64() {
    if [ -n "${registered-}" ]; then echo -1 >/proc/sys/fs/binfmt_misc/qemu-aarch64; fi
}
