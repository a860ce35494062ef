import { ownValue } from '../../json/own-value.ts';
import { emptyExtracted, type Fact } from '../fact.ts';
import { readWrittenImage } from '../read-image.ts';
import type { TextExtractor } from './extractor.ts';

/** Section that contains the image, by the suffix of the unit. */
const sections: Readonly<Record<string, string>> = {
  container: 'Container',
  image: 'Image',
  volume: 'Volume',
};

const maxLines = 5_000;

/**
 * Images of Podman Quadlet units. Instead of an image, a unit can specify another unit (`web.image`,
 * `web.build`), from which the image is then read.
 *
 * @see https://docs.podman.io/en/latest/markdown/podman-systemd.unit.5.html
 */
export const quadlet: TextExtractor = {
  name: 'quadlet',
  wantsFile: ({ base }) => sectionOf(base) !== undefined,
  extract(text, { base }) {
    const wanted = sectionOf(base);
    const unit = base.slice(0, base.lastIndexOf('.'));
    const facts: Fact[] = [];
    let section = '';
    let continued = '';
    for (const [at, line] of text.split('\n', maxLines).entries()) {
      const written = continued + line.trim();
      continued = written.endsWith('\\') ? `${written.slice(0, -1)} `.slice(0, 1_000) : '';
      if (continued !== '' || /^[#;]/.test(written)) continue;
      section = /^\[(\w+)\]$/.exec(written)?.[1] ?? section;
      const value =
        section === wanted ? /^Image\s*=(.*)$/.exec(written.slice(0, 1_000))?.[1]?.trim() : undefined;
      if (value === undefined || /^[\w@.-]+\.(?:image|build)$/.test(value)) continue;
      const image = readWrittenImage(value.replace(/^(["'])(.*)\1$/, '$2'));
      if (!image) continue;
      const place = { line: at + 1, document: 0, kind: wanted!, namespace: null, name: unit, field: 'Image' };
      facts.push({ extractor: 'quadlet', place, ...image });
    }
    return { ...emptyExtracted(), facts };
  },
};

function sectionOf(base: string): string | undefined {
  const suffix = /^[^.].*\.(container|image|volume)$/.exec(base)?.[1];
  return suffix === undefined ? undefined : ownValue(sections, suffix);
}
