/** Something that is asked for again and again while somebody looks at it. */
import { get, refusalOf, type Refusal } from './http';

export class Polled<T> {
  answer = $state.raw<T | null>(null);
  refusal = $state.raw<Refusal | null>(null); // of the last time; the last answer stays

  /** Follow until what is answered is called; `pause` says how many ms to wait after an answer, or null to stop. */
  follow(path: string, pause: (answer: T | null) => number | null): () => void {
    let [stopped, asking] = [false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      if (asking || stopped) return;
      clearTimeout(timer);
      asking = true;
      const [answer, refusal] = await get<T>(path).then(
        (told) => [told, null] as const,
        (error: unknown) => [null, refusalOf(error)] as const,
      );
      asking = false;
      if (stopped) return;
      if (answer !== null) this.answer = answer;
      this.refusal = refusal;
      const wait = pause(this.answer);
      if (wait !== null) timer = setTimeout(next, wait);
    };
    const next = (): void => void (document.visibilityState === 'visible' && ask()); // a tab nobody sees asks nothing
    const seen = (): void => void (document.visibilityState === 'visible' && pause(this.answer) !== null && ask());
    this.answer = this.refusal = null;
    document.addEventListener('visibilitychange', seen);
    void ask();
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }
}
