"""The games in a window: screens described as data (scene.py), drawn with pygame (painter.py)."""
