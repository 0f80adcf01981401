/** A webhook for a new table: whether this hall sends any, and a secret for it. */
export interface WebhookWanted {
  url: string;
  secret: string;
}

/** As the hall wrote it into the page. */
export const webhookMode = (): 'off' | 'public' | 'any' =>
  (document.querySelector<HTMLMetaElement>('meta[name=webhooks]')?.content as 'public' | 'any' | undefined) ?? 'off';

/** 32 random bytes as Standard Webhooks writes them. */
export const newSecret = (): string => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
