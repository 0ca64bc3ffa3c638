"""``dynconf.install``, and the config modules by name: ``dynconf.functorch.patch(...)``.

Type checkers read the stub beside this file, which is generated from the catalogues.
"""

from dynconf.catalogue.modules import MODULES
from dynconf.namespace.calls import Namespace, install
from dynconf.namespace.inductor import InductorNamespace

globals().update({module: Namespace(module) for module in MODULES})

inductor = InductorNamespace("inductor")

__all__ = ["Namespace", "install"]  # and the namespaces
