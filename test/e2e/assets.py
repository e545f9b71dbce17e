"""Where kube-apiserver and etcd come from: KUBEBUILDER_ASSETS, else built from pinned Go modules into a cache."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE / "kube"
PROGRAMS = ("kube-apiserver", "etcd")
GO_NEEDED = (1, 26)


class Missing(Exception):
    """Neither ready-made servers nor a Go that can build them; the text says what would help."""


def cache_dir():
    """The cache of this exact set of pinned versions; outside the work tree, so a clean keeps it."""
    digest = hashlib.sha256()
    for name in ("go.mod", "go.sum", "tools.go"):
        digest.update((MODULE / name).read_bytes())
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "sliceferry" / f"kube-{digest.hexdigest()[:16]}"


def has_programs(folder):
    return all(os.access(folder / name, os.X_OK) for name in PROGRAMS)


def find_go():
    """The path of a new enough Go, or None."""
    for candidate in (shutil.which("go"), "/usr/local/go/bin/go"):
        if not candidate or not os.access(candidate, os.X_OK):
            continue
        said = subprocess.run([candidate, "env", "GOVERSION"], capture_output=True, text=True, cwd="/")
        match = re.match(r"go(\d+)\.(\d+)", said.stdout)
        if match and (int(match[1]), int(match[2])) >= GO_NEEDED:
            return candidate
    return None


def ready():
    """The folder of the programs where they exist already, else None. Builds nothing."""
    named = os.environ.get("KUBEBUILDER_ASSETS")
    if named:
        folder = pathlib.Path(named)
        if not has_programs(folder):
            sys.exit(f"KUBEBUILDER_ASSETS={named} holds no {' and '.join(PROGRAMS)}")
        return folder
    cached = cache_dir()
    return cached if has_programs(cached) else None


def build(go, target):
    """Builds both programs beside `target` and renames: a half-built cache is never taken for a whole one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix=target.name + ".", dir=target.parent))
    version = "k8s.io/component-base/version"
    stamps = f"-s -w -X {version}.gitVersion=v1.36.3 -X {version}.gitMajor=1 -X {version}.gitMinor=36"
    environment = dict(os.environ, CGO_ENABLED="0")
    try:
        for flags, output, package in (
            (stamps, f"{work}/", "k8s.io/kubernetes/cmd/kube-apiserver"),
            ("-s -w", f"{work}/etcd", "go.etcd.io/etcd/server/v3"),
        ):
            command = [go, "build", "-trimpath", "-ldflags", flags, "-o", output, package]
            subprocess.run(command, cwd=MODULE, env=environment, check=True)
        work.chmod(0o755)
        try:
            work.rename(target)
        except OSError:
            if not has_programs(target):  # else another run was faster, with the same result
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def obtain():
    """The folder that holds kube-apiserver and etcd; builds them when there is a Go that can."""
    folder = ready()
    if folder:
        return folder
    go = find_go()
    if not go:
        needed = ".".join(map(str, GO_NEEDED))
        raise Missing(
            f"needs Go >= {needed} (to build kube-apiserver and etcd once), "
            "or KUBEBUILDER_ASSETS naming a folder that holds both programs"
        )
    print("building kube-apiserver and etcd, about 6 minutes the first time ...", flush=True)
    began = time.monotonic()
    build(go, cache_dir())
    print(f"built in {time.monotonic() - began:.0f} s: {cache_dir()}", flush=True)
    return cache_dir()


if __name__ == "__main__":
    try:
        obtain()
    except Missing as missing:
        sys.exit(f"without real API servers: {missing}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"kube-apiserver and etcd could not be built: {error}")
