#!/bin/bash
export TORCHDYNAMO_SUPRESS_ERRORS=1  # found: DC401*
TORCHDYANMO_VERBOSE=1 python train.py  # found: DC401*
