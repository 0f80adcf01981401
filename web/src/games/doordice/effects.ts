/** What the faces do, in words; which of them may be chosen is for the hall to say. */
import { t } from '../../lib/language.svelte';

interface Target {
  name: string;
  hp: string;
  vp: number;
}

export interface Effect {
  name: string;
  what: string; // what it does, in a few signs
  does: string; // the same as a sentence, with who it happens to
  pick: string; // what to do: "pick a player to strike"
  label: (seat: Target) => string; // said of somebody: "strike Bo, who has 7 HP and 2 VP"
  aimed: boolean;
}

const alone = (name: string, what: string, does: string): Effect => ({ name, what, does, pick: '', label: () => name, aimed: false });
const aimed = (name: string, what: string, does: string, pick: string, label: Effect['label']): Effect => ({ name, what, does, pick, label, aimed: true });

const effects = (): Record<string, Effect> => ({
  backfire: alone(t('Backfire'), t('{n} HP', { n: '−3' }), t('you lose {n} HP', { n: 3 })),
  jab: aimed(t('Jab'), t('{n} HP', { n: '−2' }), t('a player loses {n} HP', { n: 2 }), t('pick a player to jab'), (seat) => t('jab {name}, who has {hp} HP and {vp} VP', { ...seat })),
  pickpocket: aimed(t('Pickpocket'), t('steal 1 VP'), t('steal 1 VP from a player'), t('pick a player to rob'), (seat) => t('rob {name}, who has {hp} HP and {vp} VP', { ...seat })),
  strike: aimed(t('Strike'), t('{n} HP', { n: '−4' }), t('a player loses {n} HP', { n: 4 }), t('pick a player to strike'), (seat) => t('strike {name}, who has {hp} HP and {vp} VP', { ...seat })),
  recover: alone(t('Recover'), t('{n} HP', { n: '+3' }), t('you regain {n} HP', { n: 3 })),
  power_damage: aimed(t('Power Move'), t('{n} HP', { n: '−6' }), t('a player loses {n} HP', { n: 6 }), t('pick a player to hammer'), (seat) => t('hammer {name}, who has {hp} HP and {vp} VP', { ...seat })),
  power_vp: alone(t('Glory'), t('{n} VP', { n: '+3' }), t('you gain {n} VP', { n: 3 })),
  void: alone(t('Void'), '', t('nothing happens')),
  give_hp: aimed(t('Mend'), t('{n} HP', { n: '+2' }), t('a player gains {n} HP', { n: 2 }), t('pick a player to mend'), (seat) => t('mend {name}, who has {hp} HP and {vp} VP', { ...seat })),
  give_vp: aimed(t('Bless'), t('{n} VP', { n: '+1' }), t('a player gains {n} VP', { n: 1 }), t('pick a player to bless'), (seat) => t('bless {name}, who has {hp} HP and {vp} VP', { ...seat })),
  take_hp: aimed(t('Claw'), t('{n} HP', { n: '−2' }), t('a player loses {n} HP', { n: 2 }), t('pick a player to claw at'), (seat) => t('claw at {name}, who has {hp} HP and {vp} VP', { ...seat })),
  take_vp: aimed(t('Curse'), t('{n} VP', { n: '−1' }), t('a player loses {n} VP', { n: 1 }), t('pick a player to curse'), (seat) => t('curse {name}, who has {hp} HP and {vp} VP', { ...seat })),
});

export const effectOf = (key: string): Effect => effects()[key] ?? alone(key.replaceAll('_', ' '), '', '');

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
    ['1–2', ['void']],
    ['3–4', ['give_hp', 'give_vp']],
    ['5–6', ['take_hp', 'take_vp']],
  ],
};
