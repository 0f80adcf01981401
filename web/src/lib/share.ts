/** The result of a game as a picture to send: drawn here, with nothing fetched. */
export interface Result {
  title: string; // "Ann wins 109–85"
  game: string;
  rows: { name: string; score: string }[];
}

const [WIDE, HIGH] = [1200, 630];
const SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, serif";

export async function pictureOf(result: Result): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH });
  draw(canvas.getContext('2d')!, result);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'));
}

function draw(on: CanvasRenderingContext2D, { title, game, rows }: Result): void {
  const felt = on.createRadialGradient(WIDE / 2, 0, 80, WIDE / 2, HIGH / 2, WIDE * 0.7);
  felt.addColorStop(0, '#1f5a45');
  felt.addColorStop(1, '#0c2a20');
  on.fillStyle = felt;
  on.fillRect(0, 0, WIDE, HIGH);
  on.lineWidth = 24;
  on.strokeStyle = '#8a6130';
  on.strokeRect(12, 12, WIDE - 24, HIGH - 24);
  on.textAlign = 'center';
  write(on, `${game} · Dicehall`, WIDE / 2, 105, 34, '#d8e6dc');
  write(on, title, WIDE / 2, 205, 76, '#f0c871');
  rows.slice(0, 5).forEach(({ name, score }, i) => {
    const y = 310 + i * 60;
    on.textAlign = 'left';
    write(on, `${i + 1}  ${name}`, 260, y, 42, '#fbf4e2', 520);
    on.textAlign = 'right';
    write(on, score, WIDE - 260, y, 42, '#fbf4e2', 200);
  });
}

function write(on: CanvasRenderingContext2D, text: string, x: number, y: number, size: number, colour: string, most = WIDE - 120): void {
  on.font = `600 ${size}px ${SERIF}`;
  on.fillStyle = colour;
  on.fillText(text, x, y, most);
}

/** Send the picture where a phone can, else save it; the name of the file that was saved. */
export async function shareResult(result: Result, url: string): Promise<string> {
  const file = new File([await pictureOf(result)], 'dicehall.png', { type: 'image/png' });
  const message = { title: 'Dicehall', text: `${result.title} (${result.game})`, url, files: [file] };
  if (navigator.canShare?.(message)) return navigator.share(message).then(() => '', () => '');
  const link = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: link, download: file.name }).click();
  URL.revokeObjectURL(link);
  return file.name;
}
