import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/common/tokens.ts';
import { gatewayDefinitions, gatewayInstructions } from '../../../src/gateway/gatewayTools.ts';

test('given hundreds of services, then the four tools name some of them, and an agent pays little for them', () => {
	const services = Array.from({ length: 300 }, (_, i) => `service-${i}`);
	const tools = gatewayDefinitions(services);
	expect(tools[0]?.description).toContain('service-0, service-1');
	expect(estimateTokens(JSON.stringify(tools))).toBeLessThan(500);
	expect(estimateTokens(gatewayInstructions)).toBeLessThan(200);
});
