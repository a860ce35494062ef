import { ownValue } from '../json/own-value.ts';
import { withoutTrailing } from '../text/trailing.ts';

/** Returns the image reference for the URL of an image's web page, or `null` for any other URL. */
export function readImagePage(address: string): string | null {
  const [text = ''] = address.replace(/^https?:\/\//iu, '').split(/[?#]/u);
  const [host = '', ...path] = withoutTrailing(text, '/').split('/');
  return ownValue(pages, host.toLowerCase())?.(path) ?? null;
}

const pages: Readonly<Record<string, (path: readonly string[]) => string | null>> = {
  // Examples: `/_/postgres`, `/r/grafana/grafana/tags`.
  'hub.docker.com': ([kind, first, second]) => {
    if (kind === '_' && first) return `docker.io/library/${first}`;
    return kind === 'r' && first && second ? `docker.io/${first}/${second}` : null;
  },
  // Example: `/repository/prometheus/prometheus`.
  'quay.io': ([kind, ...path]) =>
    kind === 'repository' && path.length > 1 ? `quay.io/${path.join('/')}` : null,
  // Examples: `/owner/repo/pkgs/container/name`, `/orgs/owner/packages/container/package/name`.
  'github.com': (path) => {
    const [first, second] = path;
    const at = path.indexOf('container');
    if (at < 0 || (path[at - 1] !== 'pkgs' && path[at - 1] !== 'packages')) return null;
    const owner = first === 'orgs' || first === 'users' ? second : first;
    const name = path[at + 1] === 'package' ? path[at + 2] : path[at + 1];
    return owner && name ? `ghcr.io/${owner.toLowerCase()}/${name.replaceAll(/%2f/giu, '/')}` : null;
  },
  // Example: `/docker/library/redis`.
  'gallery.ecr.aws': (path) => (path.length > 1 ? `public.ecr.aws/${path.join('/')}` : null),
};
