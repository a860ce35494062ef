/**
 * Reads a Docker or Podman socket, which is equivalent to root access to its host. An agent with this
 * capability has no others, and has it only if its configuration lists it.
 */
export const hostCapability = 'discovery:docker';

interface GivenAgent {
  capabilities: readonly string[];
  credentials: readonly { type: string }[];
}

/** Returns the problems in the configuration of a remote agent that concern container hosts. */
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

/** Returns the problems in the configuration of the embedded agent, which never reads a container host. */
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
