# SPDX-License-Identifier: MIT
"""The golden answers once more, from tools behind the walls of the sandbox: the same numbers have to come."""
import sys

import golden

if __name__ == "__main__":
    sys.exit(golden.main("golden_sandboxed", sys.argv[1:], "sandboxed"))
