#!/usr/bin/env bash
# Guess: a default that is given as a text, as it would stand in the variable, is read as the variable is: bool("DEBUG",
# "off") is False where DEBUG is not set, whichever library reads it, or the type of the default is refused.
# Seen: environs and django-environ hand it out as it is: the text "off", which counts as true, and "8" for an integer.
# python-decouple, Starlette and pydantic-settings read it, and Starlette refuses "off", as it does in the variable. A
# list is "a,b" to the first two; decouple and Starlette with cast=list take it apart into letters.
# environs 15.2.0, django-environ 0.14.0, python-decouple 3.8, starlette 1.10.0, pydantic-settings 2.16.3, pydantic
# 2.14.4. Prints what each makes of the defaults "off", "8" and "a,b".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet environs==15.2.0 django-environ==0.14.0 python-decouple==3.8 starlette==1.10.0 \
    pydantic-settings==2.16.3 pydantic==2.14.4
env/bin/python - <<'EOF'
import decouple
import environ
import environs
import pydantic_settings
import starlette.config


def by_environs(kind, default):
    return getattr(environs.Env(), kind.__name__)("UNSET_HERE", default)


def by_django(kind, default):
    return getattr(environ.Env(), kind.__name__)("UNSET_HERE", default=default)


def by_decouple(kind, default):
    return decouple.Config(decouple.RepositoryEmpty())("UNSET_HERE", default=default, cast=kind)


def by_starlette(kind, default):
    return starlette.config.Config()("UNSET_HERE", cast=kind, default=default)


def by_pydantic(kind, default):
    class Settings(pydantic_settings.BaseSettings):
        unset_here: kind = default

    return Settings().unset_here


def results(read):
    found = []
    for kind, default in ((bool, "off"), (int, "8"), (list, "a,b")):
        try:
            found.append(read(kind, default))
        except ValueError:
            found.append("refused")
    print(read.__name__, *map(repr, found))
    return found


letters = ["a", ",", "b"]
assert results(by_environs) == results(by_django) == ["off", "8", "a,b"]
assert results(by_decouple) == [False, 8, letters]
assert results(by_starlette) == ["refused", 8, letters]
assert results(by_pydantic) == [False, 8, "refused"]
EOF
