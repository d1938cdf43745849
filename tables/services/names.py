"""Names of simulated players, so that a rehearsal reads like a night."""

GIVEN = (
    "Ann", "Miro", "Priya", "Dieter", "Chen", "Tomas", "Sam", "Olga", "Felix", "Kim", "Bo", "Rosa",
    "Luca", "Sven", "Maya", "Ines", "Jorge", "Hana", "Noor", "Emil", "Vera", "Otto", "Lena", "Yusuf",
    "Petra", "Ravi", "Greta", "Dario", "Mina", "Pavel", "Sofia", "Anton", "Iris", "Marek", "Nadia", "Theo",
)  # fmt: skip
FAMILY = (
    "Berg", "Kovac", "Sharma", "Weber", "Li", "Novak", "Adams", "Rossi", "Marin", "Hart", "Lind", "Pereira",
    "Durand", "Toth", "Okafor", "Silva", "Ortega", "Sato", "Haddad", "Nilsson", "Wagner", "Fischer", "Kaya",
    "Dvorak", "Patel", "Jensen", "Moreau", "Costa", "Ivanova", "Meyer", "Quinn",
)  # fmt: skip


def name_of(number: int) -> tuple[str, str]:
    """Given and family name of simulated player ``number``, from 1; the lists' lengths share no factor."""
    return GIVEN[(number * 5) % len(GIVEN)], FAMILY[(number * 7) % len(FAMILY)]
