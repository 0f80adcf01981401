/** What the faces do, in words; which of them may be chosen is for the hall to say. */
export interface Effect {
  name: string;
  what: string; // what it does, in a few signs
  verb: string; // said of somebody: "strike Bo"
  aimed: boolean;
}

const of = (name: string, what: string, verb: string, aimed = true): Effect => ({ name, what, verb, aimed });

const EFFECTS: Record<string, Effect> = {
  backfire: of('Backfire', '−3 HP', 'hurt yourself', false),
  jab: of('Jab', '−2 HP', 'jab'),
  pickpocket: of('Pickpocket', 'steal 1 VP', 'rob'),
  strike: of('Strike', '−4 HP', 'strike'),
  recover: of('Recover', '+3 HP', 'recover', false),
  power_damage: of('Power Move', '−6 HP', 'hammer'),
  power_vp: of('Glory', '+3 VP', 'take the glory', false),
  void: of('Void', 'nothing', 'drift', false),
  give_hp: of('Mend', '+2 HP', 'mend'),
  give_vp: of('Bless', '+1 VP', 'bless'),
  take_hp: of('Claw', '−2 HP', 'claw at'),
  take_vp: of('Curse', '−1 VP', 'curse'),
};

export const effectOf = (key: string): Effect => EFFECTS[key] ?? of(key.replaceAll('_', ' '), '', key.replaceAll('_', ' '));

/** The die of the living and of the fallen, as somebody reads it before a roll. */
export const FACES: Record<'alive' | 'fallen', [faces: string, effects: string[]][]> = {
  alive: [
    ['1', ['backfire']],
    ['2', ['jab']],
    ['3', ['pickpocket']],
    ['4', ['strike']],
    ['5', ['recover']],
    ['6', ['power_damage', 'power_vp']],
  ],
  fallen: [
    ['1 2', ['void']],
    ['3 4', ['give_hp', 'give_vp']],
    ['5 6', ['take_hp', 'take_vp']],
  ],
};
