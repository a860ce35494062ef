import type { Fact } from './fact.ts';
import { factDefaults } from './manifest.ts';
import { readVersion } from './read-version.ts';

/** Reads the name and the version of a Jenkins plugin. Returns null if they can't be those of a plugin. */
export function readJenkinsPlugin(
  name: string,
  version: string | null,
): Pick<Fact, 'artifact' | 'origin' | 'version' | 'state' | 'digest' | 'reason' | 'note'> | null {
  if (!/^[a-z][a-z0-9-]{0,80}$/i.test(name)) return null;
  // A version can begin with a build number, as in `4423.vb_59f230b_ce53`.
  if (version !== null && !/^(?:latest|experimental|\d[\w.+-]{0,100})$/.test(version)) return null;
  return {
    artifact: { kind: 'tool', name: `jenkins-plugin/${name}` },
    // Jenkins lists the versions of plugins in its update center, which is no release source.
    origin: { type: 'unsupported' },
    ...readVersion(version, 'ref'),
    ...factDefaults,
  };
}

/** Reads `name:version`, as in `plugins.txt` and in the values of the chart. */
export function readWrittenPlugin(text: string): ReturnType<typeof readJenkinsPlugin> {
  const [name = '', version = null, ...rest] = text.trim().split(':');
  // A third part is the URL of a custom plugin.
  return rest.length > 0 ? null : readJenkinsPlugin(name, version);
}
