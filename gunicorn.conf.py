"""What `gunicorn config.wsgi` reads when it is started in this folder; its command line goes before it."""

from config import web

globals().update(web.settings())
