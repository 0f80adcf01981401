/** How this page looks and sounds, as its person likes it. */
import { keep, kept } from './kept';
import type { Speed } from './playback';

export type Theme = 'auto' | 'light' | 'dark';

class Settings {
  theme = $state<Theme>(kept<Theme>('theme') ?? 'auto');
  sound = $state<boolean>(kept<boolean>('sound') ?? false);
  speed = $state<Speed>(kept<Speed>('speed') ?? 'normal');

  keys = $state(kept<boolean>('keys') ?? false); // whether buttons show the key that presses them

  start(): void {
    this.show();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    keep('theme', theme === 'auto' ? null : theme);
    this.show();
  }

  setSound(on: boolean): void {
    this.sound = on;
    keep('sound', on || null);
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    keep('speed', speed === 'normal' ? null : speed);
  }

  setKeys(on: boolean): void {
    this.keys = on;
    keep('keys', on || null);
    this.show();
  }

  private show(): void {
    if (this.keys) document.documentElement.dataset['keys'] = 'true';
    else delete document.documentElement.dataset['keys'];
    document.documentElement.dataset['theme'] = this.theme;
  }
}

export const settings = new Settings();
