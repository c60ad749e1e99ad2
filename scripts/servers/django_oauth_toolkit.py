"""An authorization server made of Django and Django OAuth Toolkit.

It takes one argument: a file of JSON with the port, the path of the database,
the clients and the person.
"""

import datetime
import json
import sys

import django
from django.conf import settings
from jwcrypto import jwk

with open(sys.argv[1], encoding="utf-8") as file:
    SETUP = json.load(file)

LOGIN_PAGE = """<form method="post">{% csrf_token %}
<input name="username"><input name="password" type="password">
<input name="next" type="hidden" value="{{ next }}"><button>Log in</button>
</form>"""

settings.configure(
    SECRET_KEY=jwk.JWK.generate(kty="oct", size=256).export(),
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    # Quick, for secrets that are no secret.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": SETUP["database"],
        }
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "loaders": [
                    (
                        "django.template.loaders.locmem.Loader",
                        {"registration/login.html": LOGIN_PAGE},
                    ),
                    "django.template.loaders.app_directories.Loader",
                ],
                "context_processors": [
                    "django.template.context_processors.request",
                ],
            },
        }
    ],
    LOGIN_URL="/login/",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": jwk.JWK.generate(kty="RSA", size=2048)
        .export_to_pem(private_key=True, password=None)
        .decode(),
        "SCOPES": {"openid": "Identity", "profile": "Name"},
        "DEFAULT_SCOPES": ["openid"],
    },
)
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402
from oauth2_provider.models import AccessToken, Application  # noqa: E402

urlpatterns = [
    path("login/", LoginView.as_view()),
    path("o/", include("oauth2_provider.urls")),
]


def seed():
    """Registers the clients, the person and a token that has expired."""
    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_user(**SETUP["person"])
    for client in SETUP["clients"]:
        application = Application.objects.create(
            name=client["client_id"],
            redirect_uris=SETUP["redirect_uri"],
            algorithm=Application.RS256_ALGORITHM,
            **client,
        )
    AccessToken.objects.create(
        user=user,
        application=application,
        token=SETUP["expired_token"],
        scope="openid",
        expires=timezone.now() - datetime.timedelta(hours=1),
    )


if __name__ == "__main__":
    seed()
    call_command(
        "runserver", f"127.0.0.1:{SETUP['port']}", use_reloader=False
    )
