import { expect, test } from 'vitest';
import { link, routeOf } from './router.svelte';

test.each([
  ['/', { page: 'lobby' }],
  ['/t/k3x', { page: 'table', table: 'k3x' }],
  ['/play/wards', { page: 'open', game: 'wards' }],
  ['/dice-10-000', { page: 'open', game: 'tenthousand' }],
  ['/me', { page: 'me' }],
  ['/players/aaaaa-aa', { page: 'player', id: 'aaaaa-aa' }],
  ['/players/a%20b', { page: 'player', id: 'a b' }],
  ['/players/%zz', { page: 'player', id: '%zz' }],
  ['/leaders/all', { page: 'leaders', game: 'all' }],
  ['/mana', { page: 'matches' }],
  ['/mana/friday-night', { page: 'match', id: 'friday-night' }],
  ['/mana/a/b', { page: 'lost' }],
  ['/sealed', { page: 'sealed' }],
  ['/sign-in', { page: 'signin' }],
  ['/offline', { page: 'offline' }],
  ['/docs', { page: 'lost' }],
  ['/t/', { page: 'lost' }],
  ['/t/a/b', { page: 'lost' }],
])('%s leads to %j', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test('without a prefix a link is its path', () => {
  expect(link('/t/x')).toBe('/t/x');
});
