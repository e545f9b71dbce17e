"""Where the simulated server may answer otherwise than the real one, and why that is no loss."""

import dataclasses
import fnmatch


@dataclasses.dataclass(frozen=True)
class Excuse:
    """Each of its rows must really differ there: an excuse that is no longer needed is a failure."""

    why: str
    where: str  # a pattern of paths into the comparable form, e.g. `body.message`
    rows: tuple

    def covers(self, row, path):
        return row in self.rows and fnmatch.fnmatch(path, self.where)


EXCUSES = (
    Excuse("nothing in the fleet asks for dry runs; they are carried out", "*", (
        "dry run of a creation", "a dry run leaves nothing", "dry run of an export", "dry run of a patch",
        "a dry run changes nothing", "a dry run deletes nothing")),
    Excuse("neither the program nor the storms send JSON patches, server-side applies or YAML", "status", (
        "JSON patch", "JSON patch of an export", "apply", "YAML")),
    Excuse("nobody asks for strict fields: unknown ones are dropped as usual", "status",
           ("strict creation with unknown members",)),
    Excuse("watches by these paths are deprecated", "status", ("watch by a path of old times",)),
    Excuse("which manager owns which field is not simulated: who becomes the owner of a field by writing what is there"
           " makes a new resourceVersion, but no other difference", "body.metadata.resourceVersion", (
               "null endpoints to empty", "empty endpoints to null", "null ports to empty", "empty endpoints by put",
               "null endpoints by put")),
    Excuse("a real server's memory of a custom kind begins when it first serves that kind; the simulated one's with the"
           " server, or after the last compaction, where it says 410 as well", "body",
           ("watch exports from long ago",)),
    Excuse("the continue token of such an answer, which leads to an inconsistent rest, is not simulated: the program"
           " lists anew", "body.me*", ("page of slices that is forgotten", "page of exports that is forgotten")),
    Excuse("whether the simulated servers are ready is told to anybody, for scripts", "status",
           ("readyz with an unknown token",)),
    Excuse("requests that no client of this fleet sends are refused in another way, or not at all", "status", (
        "null as a body", "resourceVersion that is none", "read at no resourceVersion", "label selector of a bad value",
        "export with a whole number in floating point")),
    Excuse("the real server says the same once more, with a path that it lost", "body.details.causes",
           ("export with a fractional generation",)),
)
