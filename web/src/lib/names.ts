/** Friendly names for guests who would rather not think of one. */
const FIRST = [
  'Amber', 'Bold', 'Brave', 'Bright', 'Calm', 'Clever', 'Cosy', 'Daring', 'Dusky', 'Early', 'Gentle', 'Golden',
  'Happy', 'Honest', 'Jolly', 'Keen', 'Kind', 'Lucky', 'Mellow', 'Merry', 'Nimble', 'Patient', 'Plucky', 'Proud',
  'Quick', 'Quiet', 'Rosy', 'Silver', 'Sunny', 'Swift', 'Tidy', 'Wandering', 'Witty',
];
const SECOND = [
  'Acorn', 'Badger', 'Beacon', 'Bramble', 'Brook', 'Cedar', 'Clover', 'Comet', 'Ember', 'Falcon', 'Fern', 'Finch',
  'Harbour', 'Hazel', 'Heron', 'Juniper', 'Lantern', 'Lark', 'Maple', 'Marten', 'Meadow', 'Otter', 'Pebble', 'Pine',
  'Raven', 'River', 'Robin', 'Rowan', 'Sparrow', 'Thistle', 'Willow', 'Wren',
];
const one = (list: string[]): string => list[Math.floor(Math.random() * list.length)]!;

export const suggestedName = (): string => `${one(FIRST)} ${one(SECOND)}`;
