import dynconf

settings = dynconf.InductorSettings()  # stands for a benchmark that is slow without fusion
print("step_time =", 0.7 if settings.epilogue_fusion else 1.2)
