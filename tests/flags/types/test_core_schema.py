"""What pydantic makes of a value type: strict, lax and JSON validation, JSON Schema, and dumps."""

import json
import sys

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from strategies import ANYTHING, AWKWARD, JSON, TYPES, values

from dynconf.flags.types import Mismatch, same, shown
from dynconf.modules import MODULES, catalogue
from pydantic_core import SchemaValidator, SchemaSerializer

def outcome(read, *args, **kw):
    try: return (read(*args, **kw),)
    except (Mismatch, ValidationError) as e: 
        pass
        if isinstance(e, ValidationError): e.errors()
        return None

def agree(a, b): return (a is None) == (b is None) and (a is None or same(a[0], b[0]))
bad=[]
V={t:SchemaValidator(t.core_schema()) for t in TYPES}
def run(t, v, read, want, what):
    try:
        a=outcome(read); b=outcome(want)
    except BaseException as e:
        bad.append((what,t,shown(v),repr(e)[:200])); return
    if not agree(a,b): bad.append((what,t,shown(v),shown(a),shown(b)))
def test_x():
    for t in TYPES:
        for v in AWKWARD:
            run(t,v,lambda: V[t].validate_python(v,strict=True), lambda: t.check(v),"strict")
            try: outcome(V[t].validate_python, v)
            except BaseException as e: bad.append(("lax",t,shown(v),repr(e)[:200]))
    for b in bad: print(*b)
    assert not bad
    
TEXTS=["0","1"," true ","OFF","yes","none","None"," NONE ","null","","a"," a ","a,b","1,2","1, none","5","-3","3.0","1_000","1e3","0.5","nan","9"*30,"builtins:print","os:system","logging:Logger","/tmp/x","dynamo","Grüße","١٢",'{"a": 1}','[{}]',"ATEN,triton","\0","\ud800","0-5:inductor", "torch"]
def test_texts():
    bad.clear()
    for t in TYPES:
        for s in TEXTS:
            want=lambda: t.check(t.parse(s))
            run(t,s,lambda: V[t].validate_python(s),want,"py")
            run(t,s,lambda: V[t].validate_strings(s),want,"strings")
            run(t,s,lambda: V[t].validate_strings(s,strict=True),want,"strings strict")
            if s!="\ud800": run(t,s,lambda: V[t].validate_json(json.dumps(s)),want,"json")
            run(t,s,lambda: V[t].validate_json(json.dumps(s), strict=True),lambda: t.check(t.from_data(s)),"json strict")
    for b in bad: print(*b)
    assert not bad
@settings(max_examples=2000)
@given(st.sampled_from(TYPES), JSON)
def test_json(t, data):
    s=json.dumps(data)
    bad.clear()
    run(t,data,lambda: V[t].validate_json(s, strict=True),lambda: t.check(t.from_data(data)),"json strict")
    assert not bad
@settings(max_examples=2000)
@given(st.sampled_from(TYPES).flatmap(lambda t: st.tuples(st.just(t), values(t))))
def test_round(tv):
    t,v=tv
    S=SchemaSerializer(t.core_schema())
    j=S.to_json(v)
    assert json.loads(j)==t.to_data(v)
    assert same(V[t].validate_json(j,strict=True), v)
    assert same(S.to_python(v), v)
    assert same(V[t].validate_python(v,strict=True), v)
    try: r=V[t].validate_json(j)
    except ValidationError: assert "none" in j.decode().lower(); return
    assert same(r, v) or ("none" in j.decode() or any(w in j.decode().lower() for w in ("1","0","t","f","y","n"))), (t,v,r)
