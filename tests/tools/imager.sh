# shellcheck shell=sh
# Sourced by raspberry-pi.sh and card-machine.sh beside it, after debian.sh: Debian 13 as it stands for Raspberry Pi OS, and
# what Raspberry Pi Imager 2 and the family leave on the card.

# What Raspberry Pi OS Lite has of Debian's packages, as far as it matters here.
of_the_system=systemd,systemd-sysv,libpam-systemd,dbus,udev,cloud-init,avahi-daemon,network-manager,openssh-server,ca-certificates,python3-venv,systemd-timesyncd,wpasupplicant,sudo,iproute2,procps

# as_raspberry_pi_os FOLDER: a Debian with these packages gets the settings that Raspberry Pi OS has for cloud-init.
as_raspberry_pi_os() {
    echo raspberrypi >"$1/etc/hostname"
    mkdir -p "$1/boot/firmware"
    printf '%s\n' 'datasource_list: [NoCloud, None]' 'datasource: {NoCloud: {seedfrom: "file:///boot/firmware"}}' \
        'system_info: {network: {renderers: [network-manager]}}' \
        >"$1/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg"
    systemctl -q --root="$1" mask systemd-networkd.service systemd-networkd-wait-online.service
    echo uninitialized >"$1/etc/machine-id"
}

# as_the_imager_leaves FOLDER: the files that the Imager writes onto the card's first partition.
as_the_imager_leaves() {
    printf 'instance-id: rpi-imager-1764000000000\n' >"$1/meta-data"
    cat >"$1/user-data" <<'USER'
#cloud-config
manage_etc_hosts: true
packages:
- avahi-daemon

apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Zurich
user:
  name: anna
  shell: /bin/bash
  lock_passwd: false
  passwd: "$5$companion$wUJE6iDMlTBYHkXWkmPrHkHNhGcTwnPZA2tDxsnuxW5"
  sudo: null

ssh_pwauth: true

runcmd:
  - [ systemctl, enable, --now, ssh ]
  - [ touch, /root/the-imager-was-here ]
USER
    printf 'network:\n  version: 2\n' >"$1/network-config"
}
