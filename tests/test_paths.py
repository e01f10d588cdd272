from yourtrumps.paths import data_folder


def test_data_folder_is_the_one_that_was_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("YOURTRUMPS_DATA", str(tmp_path))
    assert data_folder() == tmp_path


def test_data_folder_is_the_users_own_otherwise(monkeypatch):
    monkeypatch.delenv("YOURTRUMPS_DATA", raising=False)
    assert data_folder().name == "yourtrumps"
    assert data_folder().is_absolute()
