"""The public: no login, no session, readable without script."""
