"""Every setting of Cutline, from the environment.

With nothing set Cutline is *local*: embedded PostgreSQL, tasks run at once, a rehearsal on the first
start. ``DATABASE_URL`` and ``BROKER_URL`` switch to servers. README.md lists all variables.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.secret import local_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent


class Env(environ.Env):  # type: ignore[misc]  # the library comes without types
    """Reads variables, and names the variable that cannot be understood."""

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().get_value(var, *args, **kwargs)
        except (ValueError, TypeError) as error:
            raise ImproperlyConfigured(f"The variable {var} cannot be understood: {error}") from error


env = Env()


# -- Environment ------------------------------------------------------------------------------------

LOCAL = not env.str("DATABASE_URL", default="")
# A TLS front (nginx) is before us. `make run` and the tests speak plain HTTP and set HTTPS=0.
HTTPS = env.bool("HTTPS", default=not LOCAL)
DEBUG = env.bool("DEBUG", default=False)
HOST = env.str("HOST", default="localhost")
SECRET_KEY_GIVEN = bool(env.str("SECRET_KEY", default=""))
SECRET_KEY = env.str("SECRET_KEY", default="") or local_secret_key(BASE_DIR)
# Heads of the journal outside the house (docs/reliability.md). Their key is in no database; a rehearsal on
# one machine derives it from its secret key.
HEADS_KEY = env.str("HEADS_KEY", default="") or (f"heads {SECRET_KEY}" if LOCAL else "")
HEADS_FILE = env.str("HEADS_FILE", default="")

_any_host = HOST in ("0.0.0.0", "::")  # noqa: S104 - the person asked to serve the whole network
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=["*"] if _any_host else ["localhost", "127.0.0.1", "[::1]", HOST]
)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# -- Apps and middleware ----------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "pages",
    "plan",
    "tables",
    "tournament",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "pgtrigger",
    "csp",
    "axes",
]

MIDDLEWARE = [
    "config.middleware.HeadMiddleware",
    "config.middleware.CompressMiddleware",
    "config.middleware.FailuresMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.middleware.HeadersMiddleware",
    "config.middleware.MethodsMiddleware",
    "config.refusals.RefusalsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.StaffSessionMiddleware",
    # No LocaleMiddleware: the address contains a page's language, so that caches may keep it (ADR 27).
    "config.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.write_limit.WriteLimitMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["django.templatetags.i18n", "django.templatetags.static"],
        },
    }
]

# -- Data -------------------------------------------------------------------------------------------

if LOCAL:
    _database: dict[str, Any] = {"ENGINE": "config.launch.embedded", "NAME": "cutline", "USER": "cutline"}
else:
    _database = env.db_url("DATABASE_URL")
    if _database.get("ENGINE") != "django.db.backends.postgresql":
        raise ImproperlyConfigured(
            "DATABASE_URL must name a PostgreSQL server: postgres://user:password@host/name"
        )
_database |= {
    "CONN_MAX_AGE": env.int("CONN_MAX_AGE", default=60),
    "CONN_HEALTH_CHECKS": True,
    "ATOMIC_REQUESTS": False,  # one command is one transaction; the services open it
    "TEST": {"NAME": env.str("TEST_DATABASE_NAME", default="test_cutline")},
}
_database.setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
# Nobody waits for ever: for another's lock, for a statement, for a transaction that was left open (faults).
# Commands that a person runs by hand (manage.py) may take their time.
TIME_LIMITS = {
    "lock_timeout": "3s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "30s",
}
if env.bool("DATABASE_TIME_LIMITS", default=True):
    _limits = " ".join(f"-c {name}={limit}" for name, limit in TIME_LIMITS.items())
    _database["OPTIONS"]["options"] = f"{_limits} {_database['OPTIONS'].get('options', '')}".strip()
# Statements are sent without their values, and a repeated one is planned once per connection: planning most
# of ours takes longer than running them. If a pooler cannot do that, the address ends with
# ?server_side_binding=False.
_database["OPTIONS"].setdefault("server_side_binding", True)
_database["OPTIONS"].setdefault("prepare_threshold", 5)
DATABASES = {"default": _database}

# -- Tasks ------------------------------------------------------------------------------------------

BROKER_URL = env.str("BROKER_URL", default="")
# Eager without a broker; a name is set all the same, so that the client does not look for one.
CELERY_BROKER_URL = BROKER_URL or "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = not BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT = 20
CELERY_TASK_TIME_LIMIT = 30  # seconds; below the visibility timeout
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task lost with its worker is delivered again after this many seconds, not after the default hour.
    "visibility_timeout": 60,
    "unacked_restore_interval": 10,
    # An unreachable broker must not delay the page: the sweep makes up for the task.
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "max_retries": 0,  # or the first connection is tried for six seconds, whatever `retry=False` says
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tournament.sweep", "schedule": 10.0, "options": {"expires": 10}},
}

# -- Log-in -----------------------------------------------------------------------------------------

LOGIN_URL = "tournament:login"
LOGIN_REDIRECT_URL = "/house/"
LOGOUT_REDIRECT_URL = "/"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Ten wrong passwords for one name from one address, or fifty from one address for any names, lock for a
# quarter of an hour. Attempts during the lock do not count, or one guest could lock out a house's network.
AXES_HANDLER = "config.throttle.ThrottleHandler"
AXES_FAILURE_LIMIT = 10
ADDRESS_FAILURE_LIMIT = env.int("ADDRESS_FAILURE_LIMIT", default=50)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_LOCKOUT_CALLABLE = "pages.house.views.auth.locked_out"
AXES_CLIENT_IP_CALLABLE = "config.middleware.client_address"
AXES_VERBOSE = False
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1 if HTTPS else 0)

SESSION_COOKIE_AGE = 30 * 60  # idle seconds; StaffSessionMiddleware starts it anew
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_EXPIRE_AT_BROWSER_CLOSE = False
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# -- Browser security -------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=HTTPS)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=HTTPS)
# Browsers have a built-in list, and removal from it takes months: the house must decide.
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # that preload is off
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # bytes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000

# -- Language, time, static files -------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Pages for players exist in each language, by address: /de/… (pages.languages); staff pages are English.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
# Template filters format chips and money; ids and form values stay plain digits.
USE_THOUSAND_SEPARATOR = False

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles" if HTTPS else None
STATICFILES_DIRS = [BASE_DIR / "static"]
# Behind a proxy the file names contain a hash (after `manage.py collectstatic`); else files are found in
# place.
WHITENOISE_USE_FINDERS = not HTTPS
_static = "whitenoise.storage.CompressedManifestStaticFilesStorage"
if not HTTPS:
    _static = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static},
}

# -- Logs -------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "no_query": {"()": "config.logs.NoQuery"},
        "no_links": {"()": "config.logs.NoLinks"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["no_links"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},  # a refusal or a wrong address is an answer, not a fault
        "django.server": {"filters": ["no_query"]},  # manage.py runserver
        "axes": {"level": "ERROR"},
        "cutline.security": {"level": "INFO"},  # lockouts and refused permissions, whatever LOG_LEVEL says
    },
}
