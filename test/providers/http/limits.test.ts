import { expect, test } from 'vitest';
import { answerLimits, limitsOf, localAnswerLimits } from '../../../src/models/http/limits.ts';
import { endpointAt } from '../loopback.ts';

test.each([
	'http://localhost:1234/v1',
	'http://127.0.0.1:8080/v1',
	'http://[::1]:8080/v1',
	'http://192.168.1.20:8080/v1',
	'http://172.17.0.1:8080/v1',
	'http://10.0.0.2/v1',
	'http://workstation.local:8000/v1',
])('a model at %s gets the longer limits of local models', (baseUrl) => {
	expect(limitsOf(endpointAt(baseUrl))).toBe(localAnswerLimits);
});

test.each([
	'https://api.openai.com/v1',
	'https://openrouter.ai/api/v1',
	'https://localhost.example.com/v1',
	'https://10.example.com/v1',
	'https://172.32.0.1/v1',
	'no address',
])('a provider at %s gets the usual limits', (baseUrl) => {
	expect(limitsOf(endpointAt(baseUrl))).toBe(answerLimits);
});
