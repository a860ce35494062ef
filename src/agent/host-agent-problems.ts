/**
 * Reads a Docker or Podman socket, which is root on its host. Such an agent does nothing else, and only if its
 * configuration asks for it.
 */
export const hostCapability = 'discovery:docker';

interface GivenAgent {
  capabilities: readonly string[];
  credentials: readonly { type: string }[];
}

/** What is wrong with the configuration of a remote agent that reads container hosts. */
export function hostAgentProblems({ capabilities, credentials }: GivenAgent): string[] {
  if (!capabilities.includes(hostCapability)) {
    return credentials.flatMap(({ type }, index) =>
      type === 'docker'
        ? [`credentials[${index}].type: docker requires capabilities: ["${hostCapability}"]`]
        : [],
    );
  }
  return [
    ...(capabilities.length > 1
      ? [`capabilities: ${hostCapability} must be the only one; run another agent for the others`]
      : []),
    ...credentials.flatMap(({ type }, index) =>
      type === 'docker'
        ? []
        : [`credentials[${index}].type: must be docker for an agent with the capability ${hostCapability}`],
    ),
  ];
}

/** What is wrong with the configuration of the embedded agent, which never reads a container host. */
export function embeddedAgentProblems({ capabilities, credentials }: GivenAgent): string[] {
  const remedy = 'needs a separate agent; see "Container hosts" in the documentation';
  return [
    ...capabilities.flatMap((name, index) =>
      name === hostCapability ? [`capabilities[${index}]: ${name} ${remedy}`] : [],
    ),
    ...credentials.flatMap(({ type }, index) =>
      type === 'docker' ? [`credentials[${index}].type: docker ${remedy}`] : [],
    ),
  ];
}
