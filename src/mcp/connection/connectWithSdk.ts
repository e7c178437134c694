import type { Connect } from './connection.ts';

/** Connects with the SDK, which is loaded by the first connection and not before: it takes its time. */
export const connectWithSdk: Connect = async (launch, options) => {
	const { connect } = await import('./sdk.ts');
	return connect(launch, options);
};
