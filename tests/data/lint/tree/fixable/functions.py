def configure():
    from torch._dynamo import config

    def set_limit(limit):
        config.recompile_limit = limit  # found: DC303*

    set_limit(64)


configure()
