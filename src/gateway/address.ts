/** The path at which clients of the protocol connect to a window. */
export const mcpPath = '/mcp';
