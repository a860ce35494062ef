import type { Schemas } from '../../../src/generated/client-api.ts';
import { TextLink } from '../ui/links.tsx';
import { jobKinds } from './job-kind-pages.ts';
import { resourceLink } from './resource-link.ts';

/** Link to the page of a job. */
export function JobLink({
  kind,
  id,
  children,
  ...look
}: {
  kind: Schemas['TaskKind'];
  id: number;
  children: string;
  inherit?: boolean;
  size?: 'sm';
  fw?: number;
}) {
  const { resource } = jobKinds[kind];
  return (
    <TextLink {...resourceLink(resource, id)} {...look}>
      {children}
    </TextLink>
  );
}
