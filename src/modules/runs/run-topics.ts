/**
 * True if a wake-up can be relevant to an agent. Without this check, each new run would cause a query for
 * every waiting agent.
 *
 * @param detail Organization and kind, or `undefined` if they are unknown.
 * @param organizationId Organization of a remote agent, or `null` for the embedded agent, which serves all
 * organizations.
 */
export function isRelevantWakeUp(
  detail: string | undefined,
  { organizationId, capabilities }: { organizationId: number | null; capabilities: readonly string[] },
): boolean {
  if (detail === undefined) return true;
  const [organization, kind] = detail.split('/');
  return (
    (organizationId === null || organization === String(organizationId)) &&
    capabilities.some((capability) => capability.split(':', 1)[0] === kind)
  );
}
