import { expect, test } from 'vitest'
import { errorSchema, invalidParameter, notFound, toErrorBody } from '#contract/errors.ts'

test('the envelope has code and message, in this order, and no more', () => {
  expect(JSON.stringify(toErrorBody(notFound('no such clip')))).toBe(
    '{"error":{"code":"not_found","message":"no such clip"}}',
  )
})

test('parameter is there on a 400 that names one', () => {
  expect(JSON.stringify(toErrorBody(invalidParameter('limit', 'limit must be')))).toBe(
    '{"error":{"code":"invalid_parameter","message":"limit must be","parameter":"limit"}}',
  )
})

test('retryAfter is there on 429', () => {
  const body = toErrorBody({ status: 429, code: 'rate_limited', message: 'wait', retryAfterS: 7 })
  expect(JSON.stringify(body)).toBe('{"error":{"code":"rate_limited","message":"wait","retryAfter":7}}')
})

test('the schema takes every envelope and nothing beside it', () => {
  expect(errorSchema.safeParse(toErrorBody(notFound('x'))).success).toBe(true)
  expect(errorSchema.safeParse({ error: { code: 'not_found', message: 'x', stack: 'y' } }).success).toBe(
    false,
  )
  expect(errorSchema.safeParse({ error: { code: 'teapot', message: 'x' } }).success).toBe(false)
  expect(
    errorSchema.safeParse({ error: { code: 'rate_limited', message: 'x', retryAfter: 0 } }).success,
  ).toBe(false)
})
