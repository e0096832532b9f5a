#!/usr/bin/env bash
# Puts the Slurm of another root directory in the place of this machine's, for up.sh, the agent and its tests: a Debian of another release,
# say, with another version of Slurm. Run by root.
#
#   debootstrap --variant=minbase --include=munge,slurmctld,slurmd,slurm-client trixie /srv/trixie
#   src/test/slurm/root.sh /srv/trixie /srv/trixie-programs
#   PATH=/srv/trixie-programs:$PATH mvn -Pslurm verify
#
# The root sees this machine's /proc, /dev, /tmp and /etc/hosts from then on; umount them before it is removed.
set -euo pipefail
root=$(realpath "${1:?the root}") programs=${2:?a directory for the programs}
for shared in proc dev tmp; do
  mountpoint -q "$root/$shared" || mount --bind "/$shared" "$root/$shared"
done
cp /etc/hosts "$root/etc/hosts"
mkdir -p "$programs"
for program in munged munge slurmctld slurmd scontrol sbatch squeue sinfo scancel; do
  printf '#!/bin/sh\nexec chroot %q %s "$@"\n' "$root" "$program" >"$programs/$program"
  chmod 755 "$programs/$program"
done
echo "$("$programs/slurmctld" -V) is first with PATH=$programs:\$PATH"
