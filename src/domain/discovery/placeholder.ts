/**
 * True if the name of an image or the URL of a repository contains a placeholder, such as `REGISTRY/app`,
 * `your-registry.example.com/app`, or `github.com/YOUR_ORG/app`. Real image names are lowercase, and no image
 * is on an example domain (RFC 2606). Owners of repositories can have capital letters, such as SAP, but no
 * underscores.
 */
export function isPlaceholder({ kind, name }: { kind: string; name: string }): boolean {
  const [host = '', ...rest] = name.replace(/^[a-z+]+:\/\//, '').split('/');
  const isHost = rest.length > 0 && /[.:]/.test(host);
  const segments = (isHost ? rest : [host, ...rest]).filter(isUppercase);
  if (kind === 'image')
    return (
      segments.length > 0 || (isHost && placeholderHosts.test(host)) || /(?:^|\/)your[_-]image$/i.test(name)
    );
  const owner = isHost ? rest[0] : host;
  return segments.some(
    (segment) => segment.startsWith('YOUR') || (segment === owner && segment.includes('_')),
  );
}

const placeholderHosts = /^your[-_.]|(?:^|\.)(?:example\.(?:com|net|org)|example|invalid)(?::\d+)?$/i;

function isUppercase(segment: string): boolean {
  return /^[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)*$/.test(segment) && segment.length > 1;
}
