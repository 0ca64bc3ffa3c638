"""A plugin of pytest that puts dynconf's base of settings models in place of pydantic-settings' own."""

import pydantic_settings

from dynconf.settings import Settings

PLAIN = pydantic_settings.BaseSettings


class BaseSettings(Settings):
    """A model without flags, with the configuration of a plain one."""

    model_config = pydantic_settings.SettingsConfigDict(
        validate_assignment=False,
        validate_default=True,
        protected_namespaces=PLAIN.model_config["protected_namespaces"],
    )


del BaseSettings.model_config["populate_by_name"]
pydantic_settings.BaseSettings = BaseSettings
