import { ownValue } from '../../json/own-value.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { isSecretName } from '../read-dotenv.ts';
import { readWrittenImage } from '../read-image.ts';
import { substituteVariables } from '../substitute-variables.ts';
import type { TextExtractor } from './extractor.ts';

/** Section that contains the image, by the suffix of the unit. */
const sections: Readonly<Record<string, string>> = {
  container: 'Container',
  image: 'Image',
  volume: 'Volume',
};

const maxLines = 5_000;

/** Maximum number of environment files that are read for one unit. Real units have one or two. */
const maxEnvironmentFiles = 10;

/**
 * Images of Podman Quadlet units. Instead of an image, a unit can specify another unit (`web.image`,
 * `web.build`), from which the image is then read. systemd replaces variables with those of the section
 * `Service`.
 *
 * @see https://docs.podman.io/en/latest/markdown/podman-systemd.unit.5.html
 */
export const quadlet: TextExtractor = {
  name: 'quadlet',
  wantsFile: ({ base }) => sectionOf(base) !== undefined,
  extract(text, { base }) {
    const wanted = sectionOf(base);
    const unit = base.replace(/\.j2$/, '').replace(/\.[^.]*$/, '');
    const images: { written: string; line: number }[] = [];
    const variables = new Map<string, string>();
    const environmentFiles: string[] = [];
    let section = '';
    let continued = '';
    for (const [at, line] of text.split('\n', maxLines).entries()) {
      const written = continued + line.trim();
      continued = written.endsWith('\\') ? `${written.slice(0, -1)} `.slice(0, 1_000) : '';
      if (continued !== '' || /^[#;]/.test(written)) continue;
      section = /^\[(\w+)\]$/.exec(written)?.[1] ?? section;
      const [, key, value = ''] = /^(\w+)\s*=(.*)$/.exec(written.slice(0, 1_000)) ?? [];
      if (section === 'Service' && key === 'Environment') addVariables(value, variables);
      if (section === 'Service' && key === 'EnvironmentFile' && environmentFiles.length < maxEnvironmentFiles)
        environmentFiles.push(value.trim().replace(/^-/, ''));
      if (section !== wanted || key !== 'Image') continue;
      const image = value.trim().replace(/^(["'])(.*)\1$/, '$2');
      if (!/^[\w@.-]+\.(?:image|build)$/.test(image)) images.push({ written: image, line: at + 1 });
    }
    const facts = images.flatMap(({ written, line }): Fact[] => {
      const resolved = substituteVariables(written, (name) => variables.get(name)).text;
      const image = readWrittenImage(resolved);
      if (!image) return [];
      const place = { line, document: 0, kind: wanted!, namespace: null, name: unit, field: 'Image' };
      const hasUnresolvedVariable = environmentFiles.length > 0 && resolved.includes('$');
      return [
        {
          extractor: 'quadlet',
          place,
          ...image,
          note: image.note ?? (resolved === written ? null : `value of ${written.slice(0, 100)}`),
          ...(base.endsWith('.j2') && resolved.includes('{{') && { expression: resolved }),
          ...(hasUnresolvedVariable && { inEnvironment: { written: resolved, files: environmentFiles } }),
        },
      ];
    });
    return { ...emptyExtraction(), facts };
  },
};

/** Adds the variables of a line such as `Environment=TAG=1.2.3 "NAME=acme web"`. */
function addVariables(text: string, variables: Map<string, string>): void {
  for (const [, double, single, bare] of text.matchAll(/"([^"]{1,300})"|'([^']{1,300})'|(\S{1,300})/g)) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(double ?? single ?? bare ?? '') ?? [];
    if (name !== undefined && value !== undefined && !isSecretName(name)) variables.set(name, value);
  }
}

function sectionOf(base: string): string | undefined {
  const suffix = /^[^.].*\.(container|image|volume)(?:\.j2)?$/.exec(base)?.[1];
  return suffix === undefined ? undefined : ownValue(sections, suffix);
}
