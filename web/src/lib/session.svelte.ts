/** Who I am. The token lives in a cookie that no script can read; this page only keeps the name that goes with it. */
import { hall } from './hall.svelte';
import { ask, get, Refused } from './http';
import { keep, kept } from './kept';
import { t } from './language.svelte';
import { requestEvent, signRequest } from './nostr';
import { hallAddress, publicUrl } from './router.svelte';
import type { AccountShown, Entered } from './types';
import { avatarFor } from '../parts/animals';

class Session {
  me = $state.raw<AccountShown | null>(kept<AccountShown>('me'));

  /** Whether the cookie is still good; without a name from an earlier visit there is nothing to ask. */
  async load(): Promise<void> {
    addEventListener('storage', (event) => event.key === 'dicehall:me' && this.changedElsewhere());
    if (!this.me) return;
    try {
      this.is(await get<AccountShown>('/api/me'));
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not_signed_in') this.is(null);
    }
  }

  /** The avatar that was shown beside the name comes along. */
  async guest(name: string): Promise<void> {
    await this.enter('/api/accounts/guest', { name: given(name, 'name') });
    await this.change({ avatar: avatarFor(name) }).catch(() => {}); // the hall has given one, too
  }

  /** A guest who signs up keeps everything they had. */
  async signUp(name: string, password: string): Promise<void> {
    await this.enter('/api/accounts', { name: given(name, 'name'), password: given(password, 'password') });
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.enter('/api/sessions', { name: given(name, 'name'), password: given(password, 'password') });
  }

  /** Into the account of a Nostr key; if there is none yet it is made, with this name if there is one. */
  async signInWithNostr(name = ''): Promise<void> {
    const body = name.trim() === '' ? {} : { name };
    await this.enter('/api/sessions', body, await signed('/api/sessions', body));
  }

  /** A guest who adds a key has an account from then on; an account with a password asks for it. */
  async addNostrKey(password = ''): Promise<void> {
    const body = password === '' ? {} : { password };
    this.is(await ask<AccountShown>('POST', '/api/me/keys', body, await signed('/api/me/keys', body)));
  }

  async signOut(): Promise<void> {
    await ask('DELETE', '/api/sessions');
    await (await import('./keptGames')).forgetGames();
    this.is(null); // last: until somebody goes elsewhere, the page of an account says that nobody is signed in
    hall.talk.restart();
  }

  /** Change my name, avatar or password; what is not named stays. */
  async change(what: { name?: string; avatar?: string; password?: string; old_password?: string }): Promise<void> {
    for (const field of ['name', 'password'] as const) if (what[field] !== undefined) given(what[field], field);
    this.is(await ask<AccountShown>('PATCH', '/api/me', what));
  }

  /** A first password, or another one instead of a forgotten one: a Nostr key of the account signs for it. */
  async setPasswordWithNostr(password: string): Promise<void> {
    const body = { password: given(password, 'password') };
    this.is(await ask<AccountShown>('PATCH', '/api/me', body, await signed('/api/me', body, 'PATCH')));
  }

  private async enter(path: string, body: object, authorization?: string): Promise<void> {
    const before = this.me?.id;
    const { account } = await ask<Entered>('POST', path, body, authorization);
    this.is(account);
    if (account.id !== before) hall.talk.restart(); // the new socket shows the new cookie
  }

  private is(me: AccountShown | null): void {
    this.me = me;
    keep('me', me);
  }

  private changedElsewhere(): void {
    const before = this.me?.id;
    this.me = kept<AccountShown>('me');
    if (this.me?.id !== before) hall.talk.restart();
  }
}

const signed = (path: string, body: object, method = 'POST'): Promise<string> =>
  signRequest(requestEvent(publicUrl() + path, method, JSON.stringify(body), hall.now()), hallAddress(), publicUrl());

const empty = { name: () => t('Use 1 to 24 characters.'), password: () => t('Enter a password.') };

/** What somebody typed; an empty field is not sent. */
function given(typed: string, field: keyof typeof empty): string {
  if (typed.trim() === '') throw new Refused({ code: 'bad_request', message: empty[field]() });
  return typed;
}

export const session = new Session();
