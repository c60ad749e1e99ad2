"""Authorization server of Django and Django OAuth Toolkit.

The variable SETUP holds, as JSON, the port, the clients and the user.
"""

import datetime
import json
import os

import django
from django.conf import settings
from jwcrypto import jwk

SETUP = json.loads(os.environ["SETUP"])

settings.configure(
    SECRET_KEY=jwk.JWK.generate(kty="oct", size=256).export(),
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    # Fast; the secrets are public.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "database.sqlite"}
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "oauth2_provider",
    ],
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware", f"{__name__}.log_in"],
    TEMPLATES=[
        {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
    ],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": jwk.JWK.generate(kty="RSA", size=2048)
        .export_to_pem(private_key=True, password=None)
        .decode(),
        "SCOPES": {"openid": "Identity", "profile": "Name"},
        "DEFAULT_SCOPES": ["openid"],
    },
)
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402
from oauth2_provider.models import AccessToken, Application  # noqa: E402

urlpatterns = [path("o/", include("oauth2_provider.urls"))]


def log_in(get_response):
    """Middleware for a user who has logged in before."""

    def middleware(request):
        request.user = get_user_model().objects.get()
        return get_response(request)

    return middleware


def seed():
    """Registers the clients, the user and an expired token."""
    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_user(**SETUP["user"])
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
    call_command("runserver", f"127.0.0.1:{SETUP['port']}", use_reloader=False)
